import { useEffect, useState } from 'preact/hooks'
import { SignatureDocument } from '../../generated/beside.js'
import type { ThreadFrame } from '../../shared/live/thread.js'
import { Html } from '../../shared/ui/html.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'

/** Shows the signature that the server adds below an answer by mail, where there is one. */
export function SignatureLine({ id, thread }: { id: string; thread: ThreadFrame | null }) {
  useActWords()
  const store = useStore()
  const [html, set] = useState<string | null>(null)
  const own = store.organization.me.value?.settings.signature
  // It is that of the channel that has the case, which another status may change.
  const status = thread?.conversation.status
  useEffect(() => {
    const stop = new AbortController()
    store.request(SignatureDocument, { conversation: id }, stop.signal).then(
      ({ conversation }) => set(conversation?.signature ?? null),
      // It is added in any case.
      () => undefined,
    )
    return () => stop.abort()
  }, [id, status, own])
  if (html === null) return null
  const words = catalogue.signature
  return (
    <div class="mailhead">
      <details>
        <summary>
          {words.title} <span class="mute t2">{words.help}</span>
        </summary>
        <Html html={html} />
      </details>
    </div>
  )
}
