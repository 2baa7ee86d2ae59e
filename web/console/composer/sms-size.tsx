import { useEffect, useState } from 'preact/hooks'
import { SmsSizeDocument, type SmsSizeQuery } from '../../generated/beside.js'
import { useActWords, words as catalogue } from '../acts/words.js'
import { useStore } from '../store/console-store.js'

const ASK_MS = 300

/** The number of text messages that it becomes, by the server's own count. */
export function SmsSize({ text }: { text: string }) {
  useActWords()
  const store = useStore()
  const [size, setSize] = useState<SmsSizeQuery['smsSize'] | null>(null)
  const given = text.trim()
  useEffect(() => {
    if (given === '') return setSize(null)
    const stop = new AbortController()
    const timer = setTimeout(() => {
      store.request(SmsSizeDocument, { text: given }, stop.signal).then(
        ({ smsSize }) => setSize(smsSize),
        () => undefined,
      )
    }, ASK_MS)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [store, given])
  if (!size || given === '') return null
  return <span class="mute t2">{catalogue.beside.smsSize(given.length, size.segments)}</span>
}
