const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escape(source: string): string {
  return source.replace(/[&<>"']/g, (letter) => ENTITIES[letter]!)
}

/** Renders text with `code` between backticks. */
export function text(source: string): string {
  return escape(source).replace(/`([^`]+)`/g, '<code>$1</code>')
}

export function each<T>(items: readonly T[], show: (item: T) => string): string {
  return items.map((item) => show(item)).join('\n')
}
