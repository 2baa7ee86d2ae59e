/** A reply without the quoted text. */
export interface Trimmed {
  text: string
  isTrimmed: boolean
}

/** Maximum number of lines into which mail clients break "On … wrote:". */
const ATTRIBUTION_LINES_MAX = 4
const ATTRIBUTION_CHARS_MAX = 400
/** Regular expressions only see this much of a line, which bounds their work for any input. */
const LINE_CHARS_MAX = 500

const BEGINNING = /^(?:-{1,3} ?)?(?:on|op|am|le|el|il|em|den|dne|w dniu|at|\d{1,4}[-./ ]|[a-z]{2,3}\.? \d|\S+.{0,80}<)/i
const WROTE =
  /\b(?:wrote|schreef|geschreven|schrieb|geschrieben|écrit|escribió|scritto|escreveu|skrev|napsal|pisze)\b|(?:écrit|napisał(?:\(a\))?)/i
const WHEN_OR_WHO = /\d{4}|\d{1,2}[:.h]\d{2}|<[^<>\s]+@[^<>\s]+>|\S@\S/
const SEPARATOR =
  /^[-_* ]{2,}(?:original message|original-nachricht|oorspronkelijk bericht|ursprüngliche nachricht|message d.origine|mensaje original|messaggio originale)[-_* ]*$/i
const FROM = /^[*\s]*(?:from|van|von|de|da|fra)\s?:[*\s]*\S/i
const SENT = /^[*\s]*(?:sent|date|verzonden|datum|gesendet|envoyé|enviado(?: el)?|inviato|data|sendt)\s?:/i
const TO = /^[*\s]*(?:to|aan|an|à|a|para|til|subject|onderwerp|betreff|objet|asunto|oggetto|emne)\s?:/i
const RULE = /^[_-]{5,}\s*$/
const SIGNATURE = /^-- ?$/
const DEVICE =
  /^(?:sent from my|sent from|get outlook for|verstuurd vanaf|verzonden vanaf|verzonden met|von meinem|gesendet von|envoyé de mon|envoyé depuis|envoyé à partir|enviado desde|inviato da) .{1,80}$/i

/**
 * Removes the quoted mail below or above a reply, the signature and the device's note (English, Dutch, German, French
 * and related languages). An answer between quoted lines is left unchanged, and so is a mail of which nothing would
 * remain. Linear in the length of the text.
 */
export function trimQuotes(text: string): Trimmed {
  const lines = text.split('\n').map((line) => line.trimEnd())
  const kept = withoutSignature(withoutQuote(lines))
  const result = kept.join('\n').trim()
  const whole = lines.join('\n').trim()
  return result === '' ? { text: whole, isTrimmed: false } : { text: result, isTrimmed: result !== whole }
}

function withoutQuote(lines: readonly string[]): readonly string[] {
  for (let at = 0; at < lines.length; at++) {
    const end = endOfIntroduction(lines, at)
    if (end === null) continue
    return aroundQuote(lines, { start: RULE.test(lastSaid(lines, at)) ? lastSaidAt(lines, at) : at, end })
  }
  return withoutTrailingQuote(lines)
}

/** Returns where the quote introduced at this line begins; null when none is. */
function endOfIntroduction(lines: readonly string[], at: number): number | null {
  const line = short(lines[at]!)
  if (line === '' || line.startsWith('>')) return null
  if (SEPARATOR.test(line)) return at + 1
  if (FROM.test(line)) return isHeaderBlock(lines, at) ? at + 1 : null
  if (!BEGINNING.test(line)) return null
  let joined = ''
  for (let end = at; end < Math.min(at + ATTRIBUTION_LINES_MAX, lines.length); end++) {
    const next = short(lines[end]!)
    joined = `${joined} ${next}`.trim()
    if (joined.length > ATTRIBUTION_CHARS_MAX || (next === '' && end > at + 1)) return null
    if (/:\s*-*$/.test(next)) return WROTE.test(joined) && WHEN_OR_WHO.test(joined) ? end + 1 : null
  }
  return null
}

/** Recognizes the header block that Outlook writes above a quote: From, Sent, To and Subject, in several languages. */
function isHeaderBlock(lines: readonly string[], at: number): boolean {
  const next = lines.slice(at + 1, at + 7).map(short)
  return next.some((line) => SENT.test(line)) && next.some((line) => TO.test(line))
}

function aroundQuote(lines: readonly string[], { start, end }: { start: number; end: number }): readonly string[] {
  const above = lines.slice(0, start)
  const below = lines.slice(end)
  const first = below.find((line) => line !== '')
  // An unmarked quote: its end cannot be recognized, and clients put it last.
  if (!first?.startsWith('>')) return above
  const afterFirst = below.slice(below.findIndex((line) => line.startsWith('>')))
  const own = afterFirst.findIndex((line) => line !== '' && !line.startsWith('>'))
  if (own < 0) return above
  // Answered below the quote or between its lines.
  return above.some((line) => line !== '') ? lines : withoutTrailingQuote(afterFirst.slice(own))
}

function withoutTrailingQuote(lines: readonly string[]): readonly string[] {
  const last = lines.findLastIndex((line) => line !== '' && !line.startsWith('>'))
  return lines.slice(0, last + 1)
}

function withoutSignature(lines: readonly string[]): readonly string[] {
  const signature = lines.findIndex((line) => SIGNATURE.test(line))
  const unsigned = signature > 0 ? lines.slice(0, signature) : lines
  const last = lastSaidAt(unsigned, unsigned.length)
  return last > 0 && DEVICE.test(short(unsigned[last]!)) ? unsigned.slice(0, last) : unsigned
}

function lastSaid(lines: readonly string[], before: number): string {
  return short(lines[lastSaidAt(lines, before)] ?? '')
}

function lastSaidAt(lines: readonly string[], before: number): number {
  let at = before - 1
  while (at >= 0 && lines[at] === '') at--
  return at
}

function short(line: string): string {
  return line.slice(0, LINE_CHARS_MAX).replaceAll('\u00a0', ' ').replaceAll('\u202f', ' ').trim()
}
