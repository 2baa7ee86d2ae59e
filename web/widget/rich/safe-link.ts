/** An address that a visitor may be led to; null for anything else, such as a script. */
export function safeLink(uri: string | null | undefined): string | null {
  const url = uri ? URL.parse(uri) : null
  return url && ['http:', 'https:', 'mailto:', 'tel:'].includes(url.protocol) ? url.href : null
}
