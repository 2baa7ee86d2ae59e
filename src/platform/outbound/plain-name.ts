const NAME_CHARS_MAX = 60

/** Keeps letters and digits only: an organization's name must not put other text into somebody else's mailbox. */
export function plainName(name: string): string {
  return name
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, NAME_CHARS_MAX)
    .trim()
}
