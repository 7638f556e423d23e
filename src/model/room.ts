/** A place where bytes may be read to. */
export interface Room {
  /** Asked for anew after every wait: it may have become another view of the same memory. */
  readonly bytes: Uint8Array;
}
