/** What holds for every endpoint: for people, at the head of the document and of the page. */
export const CONVENTIONS: readonly { title: string; lines: readonly string[] }[] = [
  {
    title: 'Requests',
    lines: [
      'Bodies are JSON (`Content-Type: application/json`). A key that is not known is refused with 400; in a message or ' +
        'a new conversation it is passed over and named in `Ignored-Fields`, unless `Prefer: handling=strict` asks for ' +
        'the refusal.',
      '`PATCH` changes the given fields only; nested objects and arrays replace the stored ones, `null` clears.',
      "A whole record may be sent back: fields made by the server are ignored, and with the record's own `id` in the " +
        'body so is every field that cannot be set.',
      'Datetimes are ISO 8601; one without an offset is read as UTC.',
      '`Idempotency-Key` on a POST: the same key and body give the first answer again for 24 hours.',
    ],
  },
  {
    title: 'Records',
    lines: [
      'References are ids; `populate=contact,participants.user` shows them as records.',
      '`select=name,status` shows only these fields, and `id`.',
      'What was not specified is left out.',
    ],
  },
  {
    title: 'Lists',
    lines: [
      '`limit` (30; more than 100 is taken as 100) and `offset` choose the page; `X-Total-Count` counts all (past 10,000 it may be a minute ' +
        'old), `Link` has the next page. Following `Link` costs the same on every page; a large `offset` costs as it grows.',
      '`sort=-createdAt,name` sorts, descending with a minus.',
      'Any other parameter is a filter; names may be dotted: `profile.telephone`, `participants.inbox`, `meta.intent`.',
      'The value may begin with an operator: `a` equals, `!a` not, `~a` contains, `^a` begins with, `$a` ends with, ' +
        '`>a`, `>=a`, `<a`, `<=a`, `[a,b]` any of. An empty value means unset. Filters given together must all hold; ' +
        'those on one nested list, such as `participants.user` and `participants.inbox`, of the same element.',
    ],
  },
  {
    title: 'Errors',
    lines: [
      'Every error body has `message`, `code`, `error` (with both) and `requestId`; 400 names the `field`.',
      '429 has `Retry-After`; `RateLimit` and `RateLimit-Policy` tell where one stands.',
    ],
  },
]

export function conventionsText(): string {
  const lists = CONVENTIONS.map(({ title, lines }) => [`### ${title}`, ...lines.map((line) => `- ${line}`)])
  return lists.map((lines) => lines.join('\n')).join('\n\n')
}
