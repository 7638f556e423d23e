/** Workers run what the build made of their source; where the source itself runs, as in tests, there are none. */
export function canUseWorkers(): boolean {
  return import.meta.url.endsWith('.js');
}
