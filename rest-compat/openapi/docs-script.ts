/**
 * The script of the documentation page, embedded in the page: the search, and the forms that send a request. It only
 * talks to the server that the page comes from, and keeps the token in the page's field alone.
 */
export const DOCS_SCRIPT = `
'use strict'
const all = (selector, inside = document) => [...inside.querySelectorAll(selector)]
const token = document.getElementById('token')

// Search: every word must occur in the name, the method, the path or the summary.
const searched = all('[data-search]')
document.getElementById('search').addEventListener('input', ({ target }) => {
  const words = target.value.toLowerCase().split(/\\s+/)
  for (const element of searched) {
    element.hidden = !words.every((word) => element.dataset.search.includes(word))
  }
  for (const group of all('[data-group]')) group.hidden = all('[data-search]', group).every(({ hidden }) => hidden)
})

function requestOf(form) {
  const values = new FormData(form)
  const path = form.dataset.path.replace(/\\{(\\w+)\\}/g, (_, name) => encodeURIComponent(values.get('path.' + name)))
  const query = String(values.get('query') ?? '').trim().replace(/^\\?/, '')
  const headers = token.value.trim() ? { authorization: 'Bearer ' + token.value.trim() } : {}
  const init = { method: form.dataset.method, headers }
  const file = values.get('file')
  if (file) {
    init.body = new FormData()
    init.body.append('file', file)
  } else if (values.has('body')) {
    headers['content-type'] = 'application/json'
    init.body = values.get('body')
  }
  return [path + (query && '?' + query), init]
}

async function send(form) {
  const output = form.querySelector('output')
  output.textContent = '…'
  try {
    const response = await fetch(...requestOf(form))
    const type = response.headers.get('content-type') ?? ''
    const text = type.startsWith('image/') || type === 'application/pdf' ? type : await response.text()
    const answer = type.includes('json') && text ? JSON.parse(text) : null
    // Signing in here signs in the page.
    if (response.ok && form.dataset.operation === 'createToken' && answer.token) token.value = answer.token
    output.textContent = response.status + ' ' + response.statusText + '\\n' + (answer ? JSON.stringify(answer, null, 2) : text)
    output.dataset.ok = response.ok
  } catch (error) {
    output.textContent = 'The server did not answer: ' + error.message
    output.dataset.ok = false
  }
}

document.addEventListener('submit', (event) => {
  event.preventDefault()
  void send(event.target)
})

// On a narrow screen the navigation is folded, and folds again when something was chosen.
const contents = document.getElementById('contents')
const narrow = matchMedia('(max-width: 800px)')
const fold = () => { contents.open = !narrow.matches }
narrow.addEventListener('change', fold)
contents.addEventListener('click', ({ target }) => { if (narrow.matches && target.closest('a')) contents.open = false })
fold()
`
