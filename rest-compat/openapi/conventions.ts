/** Conventions of all endpoints, for the introduction of the document and of the page. */
export const CONVENTIONS: readonly { title: string; lines: readonly string[] }[] = [
  {
    title: 'Requests',
    lines: [
      'Bodies are JSON (`Content-Type: application/json`). An unknown key is refused with 400; in a message or ' +
        'a new conversation it is ignored and listed in `Ignored-Fields`, unless `Prefer: handling=strict` asks for ' +
        'the refusal.',
      '`PATCH` changes the given fields only; nested objects and arrays replace the stored ones, `null` clears.',
      "A whole record may be sent back: fields set by the server are ignored, and with the record's own `id` in the " +
        'body so are all other fields that cannot be set.',
      'Datetimes are ISO 8601; without an offset they are UTC.',
      '`Idempotency-Key` on a POST: the same key and body return the first answer again for 24 hours.',
    ],
  },
  {
    title: 'Records',
    lines: [
      'References are ids; `populate=contact,participants.user` shows them as records.',
      '`select=name,status` shows only these fields and `id`; such an answer has the schema `x-selected`, which `/v2/openapi-selected.json` has in the place of that of the whole record.',
      'Unspecified fields are omitted.',
    ],
  },
  {
    title: 'Lists',
    lines: [
      '`limit` (30 by default, at most 100) and `offset` select the page; `X-Total-Count` is the total (above 10,000 it may be a minute ' +
        'old), `Link` has the next page. A larger `limit` is taken as 100, which `Applied-Limit` says. Following `Link` is equally fast on every page; a large `offset` is slow.',
      '`sort=-createdAt,name` sorts; a minus means descending.',
      'All other parameters are filters; names may be dotted: `profile.telephone`, `participants.inbox`, `meta.intent`.',
      'The value may begin with an operator: `a` equals, `!a` not, `~a` contains, `^a` begins with, `$a` ends with, ' +
        '`>a`, `>=a`, `<a`, `<=a`, `[a,b]` any of. An empty value means unset. All given filters must match; ' +
        'those on one nested list, such as `participants.user` and `participants.inbox`, must match the same element.',
    ],
  },
  {
    title: 'Errors',
    lines: [
      'Every error body has `message`, `code`, `error` (with both) and `requestId`; 400 names the `field`.',
      '429 has `Retry-After`; `RateLimit` and `RateLimit-Policy` show the remaining requests.',
    ],
  },
]

export function conventionsText(): string {
  const lists = CONVENTIONS.map(({ title, lines }) => [`### ${title}`, ...lines.map((line) => `- ${line}`)])
  return lists.map((lines) => lines.join('\n')).join('\n\n')
}
