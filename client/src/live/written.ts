/** Fields that a document selects of `MessageStreamed`. */
export interface StreamedPart {
  messageId: string
  offset: number
  text: string
  ending: string | null
  /** Name of its author. */
  name?: string | null
  isBackchannel?: boolean
}

/** Messages that are being written, as far as they have come, by the id that they will have. */
export type Written = ReadonlyMap<string, Pick<StreamedPart, 'name' | 'isBackchannel' | 'text'>>

/**
 * Adds a part to what is being written: what is there is a repeat, and what comes after a gap is left out, since the whole
 * follows. A text that has ended stays until its message comes.
 */
export function withPart(before: Written, part: StreamedPart): Written {
  const { messageId, offset, text, ending } = part
  const known = before.get(messageId)?.text ?? ''
  if (ending ? known : offset > known.length || (text && offset + text.length <= known.length)) return before
  const after = new Map(before).set(messageId, { ...part, text: known.slice(0, offset) + text })
  if (ending) after.delete(messageId)
  return after
}
