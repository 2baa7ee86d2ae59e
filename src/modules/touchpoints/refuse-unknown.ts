/**
 * Gives back an event that a node of a later release has stored: it is tried again, by that one if it is there, and is kept with its
 * error if nobody takes it.
 * @throws Error always
 */
export function refuseUnknown(event: never): never {
  throw new Error(`an event of the kind "${(event as { kind: string }).kind}", which this release does not know`)
}
