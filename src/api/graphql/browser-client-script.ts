/**
 * Runs in the page of the browser client before the client itself, which has no place for what it does:
 * - What signing in gives is kept for the tab, and sent with every request and every socket after it. (The client's own
 *   scripts run in a frame of another host's when this one's does not answer at once.)
 * - The client opens the last of its first tabs; a newcomer begins with the first.
 */
export const PAGE_SCRIPT = `
{
  const KEY = 'switchboard authorization'
  const isOwn = (url) => new URL(url, location.href).href === location.origin + '/graphql'
  const { fetch } = window
  window.fetch = async (input, init) => {
    const request = new Request(input, init)
    if (!isOwn(request.url)) return fetch(request)
    const authorization = sessionStorage.getItem(KEY)
    if (authorization && !request.headers.get('authorization')) request.headers.set('authorization', authorization)
    const response = await fetch(request)
    const answer = await response.clone().json().catch(() => null)
    const token = answer?.data?.createToken?.token
    if (token) sessionStorage.setItem(KEY, 'Bearer ' + token)
    return response
  }
  const { send } = WebSocket.prototype
  WebSocket.prototype.send = function (data) {
    const authorization = sessionStorage.getItem(KEY)
    if (!authorization || typeof data !== 'string' || !data.includes('"connection_init"')) return send.call(this, data)
    const frame = JSON.parse(data)
    return send.call(this, JSON.stringify({ ...frame, payload: { authorization, ...frame.payload } }))
  }
}
if (!localStorage.getItem('first tab was opened')) new MutationObserver((_changes, observer) => {
  const tab = document.querySelector('app-window-switcher-item + app-window-switcher-item') &&
    document.querySelector('app-window-switcher-item .window-switcher__item')
  if (!tab) return
  observer.disconnect()
  localStorage.setItem('first tab was opened', 'true')
  // After the last of the tabs was made.
  setTimeout(() => tab.click(), 300)
}).observe(document, { childList: true, subtree: true })
`
