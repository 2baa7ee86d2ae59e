import type { RefObject } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icons.js'
import { useView } from './view.js'

const STILL_MS = 4_000
const KEEP_MS = 300

interface ComposerProps {
  text: string
  setText: (text: string) => void
  box: RefObject<HTMLTextAreaElement | null>
}

/** Where a visitor writes: Enter sends, Shift and Enter begins a line. */
export function Composer({ text, setText, box }: ComposerProps) {
  const { talk, words } = useView()
  const files = useRef<HTMLInputElement>(null)
  const [fault, setFault] = useState<string | null>(null)
  const [percent, setPercent] = useState<number | null>(null)
  const still = useRef<ReturnType<typeof setTimeout>>(undefined)
  useKept(text)
  const send = (): void => {
    if (text.trim() === '') return
    talk.say({ text })
    talk.type(false)
    setText('')
    box.current?.focus()
  }
  const type = (value: string): void => {
    setText(value)
    talk.type(value !== '')
    clearTimeout(still.current)
    still.current = setTimeout(() => talk.type(false), STILL_MS)
  }
  const attach = async (file: File | undefined): Promise<void> => {
    if (!file) return
    setFault(null)
    setPercent(0)
    try {
      const { upload } = await import('../rich/upload.js')
      await upload(talk, file, setPercent)
    } catch (error) {
      setFault(`${file.name}: ${(error as Error).message || words.notSent}`)
    }
    setPercent(null)
    if (files.current) files.current.value = ''
  }
  return (
    <form
      class="say"
      aria-label={words.message}
      onSubmit={(event) => {
        event.preventDefault()
        send()
      }}
    >
      {fault && (
        <p class="hint bad" role="alert">
          <Icon name="alert" small />
          <bdi>{fault}</bdi>
        </p>
      )}
      {percent !== null && <progress aria-label={words.attach} max={100} value={percent} />}
      <input
        ref={files}
        type="file"
        hidden
        onChange={({ currentTarget }) => void attach(currentTarget.files?.[0])}
        aria-label={words.attach}
      />
      <button type="button" class="btn" aria-label={words.attach} onClick={() => files.current?.click()}>
        <Icon name="clip" />
      </button>
      <textarea
        ref={box}
        rows={1}
        dir="auto"
        aria-label={words.message}
        placeholder={words.write}
        value={text}
        onInput={({ currentTarget }) => type(currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.shiftKey || event.isComposing) return
          event.preventDefault()
          send()
        }}
      />
      <button class="btn primary" aria-label={words.send}>
        <Icon name="send" />
      </button>
    </form>
  )
}

/** What was typed and not sent is there again after a reload. */
function useKept(text: string): void {
  const { talk } = useView()
  const newest = useRef(text)
  newest.current = text
  useEffect(() => {
    const timer = setTimeout(() => talk.storage.write('draft', text || null), KEEP_MS)
    return () => clearTimeout(timer)
  }, [talk, text])
  useEffect(() => {
    const keep = (): void => talk.storage.write('draft', newest.current || null)
    addEventListener('pagehide', keep)
    return () => removeEventListener('pagehide', keep)
  }, [talk])
}
