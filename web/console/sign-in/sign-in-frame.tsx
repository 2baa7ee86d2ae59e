import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import { t } from '../../shared/i18n/messages.js'
import { Icon } from '../../shared/ui/icon.js'
import { toggleTheme } from '../../shared/ui/theme.js'

/** The frame of the pages before the console. */
export function SignInFrame({ title, lead, children }: { title: string; lead: string; children: ComponentChildren }) {
  const words = t().signIn
  useEffect(() => {
    document.title = `${title} · ${t().app}`
  }, [title])
  return (
    <div class="signin">
      <main>
        <span class="brand">
          <Icon name="logo" />
        </span>
        <div>
          <h1>{title}</h1>
          <p class="mid">{lead}</p>
        </div>
        {children}
      </main>
      <footer class="line mute t2">
        <span>{t().app}</span>
        <button type="button" class="btn ghost small" onClick={toggleTheme}>
          <Icon name="half" size="s" />
          {words.theme}
        </button>
      </footer>
    </div>
  )
}

/** Shows an error; its element exists before, so that a screen reader announces it. */
export function Fault({ text }: { text: string | null }) {
  return (
    <p id="fault" role="alert" class={text ? 'hint bad' : 'vh'}>
      {text && <Icon name="alert" size="s" />}
      {text}
    </p>
  )
}

/** The server's words as a sentence. */
export function sentence(text: string): string {
  const first = text.charAt(0).toLocaleUpperCase() + text.slice(1)
  return /[.!?]$/.test(first) ? first : `${first}.`
}
