import { useEffect, useState } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Html } from '../../shared/ui/html.js'
import { Icon } from '../../shared/ui/icon.js'
import { signatureHtml, signatureTyped } from '../signature-html.js'
import { words } from './words.js'

interface SignatureProps {
  html: string | null
  name: string
  change(signature: string | null): void
}

/** The signature of the agent's mails: as text, or as HTML, with what it looks like beside it. */
export function Signature({ html, name, change }: SignatureProps) {
  const stored = signatureTyped(html)
  const [typed, type] = useState<string | null>(null)
  const text = typed ?? stored
  // What was typed stays until it is saved.
  useEffect(() => type(null), [html])
  const shown = signatureHtml(text)?.replaceAll(/\{\{\s*agent\.name\s*\}\}/g, () => name)
  return (
    <section class="box" aria-label={words.signature}>
      <header>
        <Icon name="mail" />
        <h2>{words.signature}</h2>
        <span class="mute t2">{words.signatureHelp}</span>
      </header>
      <form
        class="pad grid top"
        onSubmit={(event) => {
          event.preventDefault()
          change(signatureHtml(text))
        }}
      >
        <div class="field">
          <label for="signature-text">{words.signatureText}</label>
          <textarea
            class="in"
            id="signature-text"
            rows={5}
            dir="auto"
            aria-describedby="signature-hint"
            value={text}
            onInput={(event) => type(event.currentTarget.value)}
          />
          <p class="hint" id="signature-hint">
            {words.signatureHint}
          </p>
          <div class="line">
            <button class="btn primary" disabled={text === stored}>
              {t().save}
            </button>
            {typed !== null && (
              <button class="btn" type="button" onClick={() => type(null)}>
                {t().cancel}
              </button>
            )}
          </div>
        </div>
        <div class="field">
          <p class="b">{words.signaturePreview}</p>
          {shown ? <Html html={shown} /> : <p class="mid">{words.noSignature}</p>}
        </div>
      </form>
    </section>
  )
}
