import { CopyButton } from '../../shared/ui/copy-button.js'
import { Icon } from '../../shared/ui/icon.js'
import { words } from './words.js'

/** Recovery codes, which are shown this once: to be copied or kept as a file. */
export function RecoveryCodes({ codes }: { codes: readonly string[] }) {
  const text = codes.join('\n')
  const download = (): void => {
    const url = URL.createObjectURL(new Blob([`${text}\n`], { type: 'text/plain' }))
    Object.assign(document.createElement('a'), { href: url, download: 'recovery-codes.txt' }).click()
    URL.revokeObjectURL(url)
  }
  return (
    <div class="stack">
      <p>{words.keep}</p>
      <code class="code">{text}</code>
      <p class="line">
        <CopyButton text={text} label={words.copy} done={words.copied} />
        <button type="button" class="btn small" onClick={download}>
          <Icon name="file" size="s" />
          {words.download}
        </button>
      </p>
    </div>
  )
}
