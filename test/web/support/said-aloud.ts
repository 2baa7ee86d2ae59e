import type { Page } from 'playwright-core'

/**
 * Notes what a screen reader is given: text that comes into a live region, unless what holds it is busy or has its live region off.
 * Shadow roots are looked into as well.
 */
const LISTEN = `(() => {
  const said = (globalThis.saidAloud = [])
  const parentOf = (node) => node.parentNode instanceof ShadowRoot ? node.parentNode.host : node.parentNode
  const liveOf = (element) => element.getAttribute('aria-live') ??
    (['log', 'status'].includes(element.getAttribute('role')) ? 'polite' : element.getAttribute('role') === 'alert' ? 'assertive' : null)
  const isBusy = (element) => element.getAttribute('aria-busy') === 'true'
  const isSaid = (node) => {
    let live = null
    for (let each = node; each; each = parentOf(each)) {
      if (!(each instanceof Element)) continue
      if (isBusy(each)) return false
      live ??= liveOf(each)
    }
    return live !== null && live !== 'off'
  }
  const textOf = (node) => {
    if (node instanceof Text) return node.data
    if (node instanceof Element && (isBusy(node) || liveOf(node) === 'off')) return ''
    return [...node.childNodes].map(textOf).join(' ')
  }
  const note = (node) => {
    const text = textOf(node).replace(/\\s+/g, ' ').trim()
    if (text && node.isConnected && isSaid(node)) said.push(text)
  }
  const observer = new MutationObserver((records) => {
    const added = new Set(records.flatMap(({ type, target, addedNodes }) => type === 'childList' ? [...addedNodes] : [target]))
    for (const node of added) {
      // With what holds it.
      let isInner = false
      for (let each = parentOf(node); each; each = parentOf(each)) isInner ||= added.has(each)
      if (!isInner) note(node)
    }
  })
  const watch = (root) => observer.observe(root, { childList: true, characterData: true, subtree: true })
  watch(document)
  const attach = Element.prototype.attachShadow
  Element.prototype.attachShadow = function (options) {
    const root = attach.call(this, options)
    watch(root)
    return root
  }
})()`

/** Listens from the page's next document on. */
export async function listenAloud(page: Page): Promise<void> {
  await page.addInitScript(LISTEN)
}

/** Returns what has been said aloud that contains a text. */
export async function saidAloud(page: Page, text: string): Promise<string[]> {
  const said = await page.evaluate<string[]>('globalThis.saidAloud')
  return said.filter((each) => each.includes(text))
}
