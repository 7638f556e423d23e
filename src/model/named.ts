/** Things by their names: an object where it came from JSON or goes there, a Map where it stays in the program. */
export type Named<T> = Readonly<Record<string, T>> | ReadonlyMap<string, T>;
