/** A catalogue with its texts free: the texts that each language must have. */
export type Loose<T> = T extends string
  ? string
  : T extends (...given: infer A) => string
    ? (...given: A) => string
    : { [K in keyof T]: Loose<T[K]> }
