/** Content that an attacker would send as the HTML of a message, and a link that stays. */
export const HOSTILE_HTML = [
  '<img src=x onerror="document.title=1">',
  '<svg onload="document.title=1"><b>bold</b></svg>',
  '<a href="javascript:document.title=1">link</a>',
  '<iframe src="javascript:parent.document.title=1"></iframe>',
  '<math><mtext><style><img src=x onerror="document.title=1"></style></mtext></math>',
  '<p style="position:fixed">p</p>',
  '<a href="https://example.org/x">good link</a>',
].join('')

/** A text that is code wherever it is not taken for text. */
export const HOSTILE = `<img src=x onerror="window.ran=1">'"\`<svg onload="window.ran=1"><script>window.ran=1</script>${HOSTILE_HTML}`

/** The same, with what would be loaded from an origin. */
export const hostileAt = (origin: string): string =>
  `${origin}/a.png <img src="${origin}/b.png"> ![c](${origin}/c.png) ${HOSTILE}`
