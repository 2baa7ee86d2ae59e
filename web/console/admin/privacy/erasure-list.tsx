import { useState } from 'preact/hooks'
import { ErasureListDocument } from '../../../generated/data-kept.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { useStore } from '../../store/console-store.js'
import { words } from './words.js'

/** Downloads the list of erasures, which a restore of an older backup needs. */
export function ErasureList() {
  const store = useStore()
  const [fault, setFault] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)
  const readAll = async (): Promise<string[]> => {
    const parts: string[] = []
    for (let after: string | null = null; ;) {
      const { erasureLines }: { erasureLines: { lines: string; last: string | null } } = await store.request(
        ErasureListDocument,
        { after },
      )
      if (erasureLines.last === null) return parts
      parts.push(erasureLines.lines)
      after = erasureLines.last
    }
  }
  const download = (): void => {
    if (isBusy) return
    setBusy(true)
    setFault(null)
    readAll()
      .then(
        (parts) => {
          const link = document.createElement('a')
          link.href = URL.createObjectURL(new Blob(parts, { type: 'application/x-ndjson' }))
          link.download = 'erasures.ndjson'
          link.click()
          setTimeout(() => URL.revokeObjectURL(link.href), 1_000)
        },
        ({ message }: Error) => setFault(message),
      )
      .finally(() => setBusy(false))
  }
  return (
    <>
      <p class="line">
        <button type="button" class="btn" aria-disabled={isBusy} onClick={download}>
          {words.kept.downloadList}
        </button>
        <span class="hint">{words.list}</span>
      </p>
      <ErrorHint text={fault} />
    </>
  )
}
