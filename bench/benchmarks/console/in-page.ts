// Scripts for the page that is measured: text, since this code is compiled for Node.

/**
 * Presses `J` until it works. `pressed`: milliseconds since the navigation, once a row has the focus; `marks`: what the
 * socket had done when.
 */
export const PRESS_J = `
  globalThis.pressed = null
  globalThis.marks = {}
  const mark = (name) => (marks[name] ??= performance.now())
  globalThis.WebSocket = class extends WebSocket {
    constructor(...given) {
      super(...given)
      mark('opening')
      this.addEventListener('open', () => mark('socket'))
      this.addEventListener('message', ({ data }) => mark(data.includes('"QueueSnapshot"') ? 'queue' : 'accepted'))
    }
  }
  document.addEventListener('focusin', ({ target }) => {
    if (pressed === null && target.closest('[role=list] > li')) globalThis.pressed = performance.now()
  })
  const pressing = setInterval(() => {
    if (pressed !== null) return clearInterval(pressing)
    document.body?.dispatchEvent(new KeyboardEvent('keydown', { key: 'j', bubbles: true }))
  }, 20)`

/** @returns `marks` with those of the page, its files and its session */
export const MARKS = `(() => {
  const entries = performance.getEntriesByType('resource')
  const session = entries.find(({ name }) => name.endsWith('/console/session'))
  const files = entries.filter(({ name }) => /[.](js|css)$/.test(name))
  const early = files.filter(({ startTime }) => startTime < session.startTime)
  return {
    ...marks,
    page: performance.getEntriesByType('navigation')[0].responseEnd,
    files: Math.max(...early.map(({ responseEnd }) => responseEnd)),
    asked: session.startTime,
    session: session.responseEnd,
  }
})()`

/** `delays`: from the `at` of each message to the end of the first frame that shows it. Also keeps the socket. */
export const WATCH_SOCKET = `
  globalThis.delays = []
  globalThis.subscriptions = {}
  const bubbles = document.getElementsByClassName('bub')
  const texts = []
  const shown = (at, index) => {
    // Others may have come after it, in the same frame.
    if (texts.lastIndexOf(bubbles[bubbles.length - 1]?.textContent) < index) return requestAnimationFrame(() => shown(at, index))
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
        const index = texts.push(event.message.text) - 1
        requestAnimationFrame(() => shown(Date.parse(event.at), index))
      })
    }
    send(data) {
      const { type, id, payload } = JSON.parse(data)
      const [, field] = /subscription \\w*[^{]*\\{\\s*(\\w+)/.exec(payload?.query ?? '') ?? []
      if (type === 'subscribe' && field) subscriptions[field] = id
      super.send(data)
    }
  }`

/** A log without anything but its lines, in a page of nothing else. `openThread` subscribes to a conversation. */
export const BARE_THREAD = `
  globalThis.isOpen = false
  globalThis.openThread = ({ token, id }) => {
    const log = document.createElement('div')
    log.role = 'log'
    log.style = 'display: flex; flex-direction: column-reverse; height: 600px; overflow: auto'
    const lines = document.createElement('div')
    log.append(lines)
    document.body.append(log)
    const query = 'subscription Bare($id: ID!) { conversation(id: $id) { __typename ... on StreamEvent { cursor at } ... on MessageAdded { message { text } } } }'
    const socket = new WebSocket(location.origin.replace('http', 'ws') + '/graphql', 'graphql-transport-ws')
    const say = (message) => socket.send(JSON.stringify(message))
    socket.addEventListener('open', () => say({ type: 'connection_init', payload: { authorization: 'Bearer ' + token } }))
    socket.addEventListener('message', ({ data }) => {
      const { type, payload } = JSON.parse(data)
      if (type === 'connection_ack') say({ id: '1', type: 'subscribe', payload: { query, variables: { id } } })
      if (type === 'ping') say({ type: 'pong' })
      if (type !== 'next') return
      isOpen = true
      if (!payload.data.conversation.message) return
      const line = document.createElement('div')
      line.className = 'bub'
      line.textContent = payload.data.conversation.message.text
      lines.append(line)
    })
  }`

/** Scrolls the queue for some milliseconds, back from its end. @returns work of each frame, and the most rows at a time */
export const SCROLL = `async (ms) => {
  const list = document.querySelector('[role=list]')
  const scroller = list.parentElement
  const works = []
  let rows = 0
  globalThis.step ??= 60
  for (const end = performance.now() + ms; performance.now() < end; ) {
    const { scrollTop, scrollHeight, clientHeight } = scroller
    if (scrollTop + clientHeight + step > scrollHeight || scrollTop + step < 0) step = -step
    scroller.scrollTop += step
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

/** @returns the queue's rows as a page of their own, 200 of them, and its style sheet */
export const STATIC_ROWS = `(() => {
  const list = document.querySelector('[role=list]')
  const drawn = [...list.children]
  const { clientWidth, clientHeight } = list.parentElement
  const rowHeight = drawn[0].offsetHeight
  const rows = Array.from({ length: 200 }, (_, index) => {
    const row = drawn[index % drawn.length].cloneNode(true)
    row.style.insetBlockStart = index * rowHeight + 'px'
    return row.outerHTML
  })
  const style = 'overflow-y: auto; width: ' + clientWidth + 'px; height: ' + clientHeight + 'px'
  return {
    sheet: document.querySelector('link[rel=stylesheet]').href,
    rows: document.querySelector('.sprite').outerHTML + '<div class="scroll" style="' + style + '"><ul role="list" class="rows window" style="block-size: ' +
      200 * rowHeight + 'px">' + rows.join('') + '</ul></div>',
  }
})()`

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

/** Keeps the layout shifts that nobody asked for. */
export const WATCH_SHIFTS = `
  globalThis.shifts = []
  new PerformanceObserver((list) => {
    for (const { value, startTime, hadRecentInput, sources } of list.getEntries()) {
      if (hadRecentInput) continue
      const [source] = sources.toSorted((a, b) => areaOf(b) - areaOf(a))
      const node = source?.node?.nodeType === 1 ? source.node : source?.node?.parentElement
      shifts.push({ value, startTime, most: node ? node.localName + '.' + node.className : '' })
    }
  }).observe({ type: 'layout-shift', buffered: true })
  const areaOf = ({ currentRect: { width, height } }) => width * height`

/** @returns the worst window of the shifts since it was asked last: as long as none is a second apart, at most 5 s */
export const SHIFTS = `(() => {
  let worst = 0
  let [sum, from, last] = [0, 0, -Infinity]
  for (const { value, startTime } of shifts) {
    if (startTime - last > 1000 || startTime - from > 5000) [sum, from] = [0, startTime]
    sum += value
    last = startTime
    worst = Math.max(worst, sum)
  }
  const most = shifts.toSorted((a, b) => b.value - a.value)[0]?.most ?? ''
  shifts.length = 0
  return { cls: worst, most }
})()`
