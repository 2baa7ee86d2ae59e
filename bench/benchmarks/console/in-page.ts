// Scripts for the page that is measured: text, since this code is compiled for Node.

/** Presses `J` until it works. `pressed`: milliseconds since the navigation, once a row has the focus. */
export const PRESS_J = `
  globalThis.pressed = null
  document.addEventListener('focusin', ({ target }) => {
    if (pressed === null && target.closest('[role=list] > li')) globalThis.pressed = performance.now()
  })
  const pressing = setInterval(() => {
    if (pressed !== null) return clearInterval(pressing)
    document.body?.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  }, 20)`

/** `delays`: from the `at` of each message to the end of the first frame that shows it. Also keeps the socket. */
export const WATCH_SOCKET = `
  globalThis.delays = []
  globalThis.subscriptions = {}
  const bubbles = document.getElementsByClassName('bub')
  const shown = (at, text) => {
    // Others may have come after it.
    const last = Array.from({ length: 40 }, (_, back) => bubbles[bubbles.length - 1 - back]?.textContent)
    if (!last.includes(text)) return requestAnimationFrame(() => shown(at, text))
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => delays.push(Date.now() - at)
    port2.postMessage(null)
  }
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given)
      globalThis.socket = this
      this.addEventListener('message', ({ data }) => {
        const [event] = Object.values(JSON.parse(data).payload?.data ?? {})
        if (event?.__typename !== 'MessageAdded') return
        requestAnimationFrame(() => shown(Date.parse(event.at), event.message.text))
      })
    }
    send(data) {
      const { type, id, payload } = JSON.parse(data)
      const [, field] = /subscription \\w*[^{]*\\{\\s*(\\w+)/.exec(payload?.query ?? '') ?? []
      if (type === 'subscribe' && field) subscriptions[field] = id
      super.send(data)
    }
  }`

/** Scrolls the queue for some milliseconds. @returns work of each frame, and the most rows at a time */
export const SCROLL = `async (ms) => {
  const list = document.querySelector('[role=list]')
  const scroller = list.parentElement
  const works = []
  let rows = 0
  for (const end = performance.now() + ms; performance.now() < end; ) {
    scroller.scrollTop += 60
    // The scroll event comes before the callbacks of the next frame; what they render is painted before the message.
    await new Promise((resolve) => {
      scroller.addEventListener('scroll', () => {
        const began = performance.now()
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.onmessage = () => resolve(works.push(performance.now() - began))
          port2.postMessage(null)
        })
      }, { once: true, capture: true })
    })
    rows = Math.max(rows, list.children.length)
  }
  return { works, rows }
}`

/** Gives the console events of its queue, as if they had come over its socket, some hundred a frame. */
export const REPLAY = `async (total) => {
  const id = subscriptions.queue
  const row = (index, preview) => ({
    conversation: 'replayed-' + index, channel: 'channel', organization: 'organization', name: 'Swift Otter',
    contactName: 'Consumer ' + index, touchpoint: 'WEB', category: null, language: 'en', preview,
    queuedAt: new Date(1.7e12 + index).toISOString(),
  })
  for (let count = 0; count < total; ) {
    for (let part = 0; part < 400 && count < total; part++, count++) {
      const index = count >> 2
      const kind = count & 3
      const base = { cursor: 'replayed-' + count, at: new Date().toISOString() }
      const queue =
        kind === 0
          ? { __typename: 'QueueEntryAdded', ...base, entry: row(index, 'first words ' + index) }
          : kind < 3
            ? { __typename: 'QueueEntryChanged', ...base, entry: row(index, 'words number ' + kind + ' of ' + index) }
            : { __typename: 'QueueEntryRemoved', ...base, channel: 'channel', conversation: 'replayed-' + (index - 20), reason: 'ACCEPTED' }
      const data = JSON.stringify({ id, type: 'next', payload: { data: { queue } } })
      socket.dispatchEvent(new MessageEvent('message', { data }))
    }
    await new Promise(requestAnimationFrame)
  }
  return document.querySelectorAll('[role=list] > li').length
}`
