import { signal } from '@preact/signals'
import type { ComponentChildren, FunctionComponent } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { t } from '../shared/i18n/messages.js'
import { Icon } from '../shared/ui/icon.js'

/** A screen that is loaded when it is first shown. */
export function Lazy<Props extends object = object>({
  load,
  props = {} as Props,
}: {
  load(): Promise<{ default: FunctionComponent<Props> }>
  props?: Props
}) {
  const [screen, setScreen] = useState<{ Screen: FunctionComponent<Props> } | null>(null)
  const [isFailed, ask] = useLoading(async () => {
    const module = await load()
    setScreen({ Screen: module.default })
  })
  if (screen) return <screen.Screen {...props} />
  return (
    <main class="col" id="main" tabIndex={-1} aria-busy={!isFailed}>
      {isFailed && <NotLoaded again={ask} />}
    </main>
  )
}

const AGAIN_MS_MAX = 20_000

/** A part beside a screen, which is there without it. It is loaded again, less and less often, until it comes. */
export function Part<Props extends object = object>({
  load,
  props = {} as Props,
  meanwhile = null,
}: {
  load(): Promise<{ default: FunctionComponent<Props> }>
  props?: Props
  meanwhile?: ComponentChildren
}) {
  const [part, setPart] = useState<{ Part: FunctionComponent<Props> } | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>
    let waitMs = 2_500
    const ask = (): void =>
      void load().then(
        (module) => setPart({ Part: module.default }),
        () => (timer = setTimeout(ask, (waitMs = Math.min(2 * waitMs, AGAIN_MS_MAX)))),
      )
    ask()
    return () => clearTimeout(timer)
  }, [])
  return part ? <part.Part {...props} /> : <>{meanwhile}</>
}

type Dialogs = typeof import('./dialogs.js')

/** Null until they are loaded. */
export const dialogs = signal<Dialogs | null>(null)

/** Loads what opens over the screens, so that it is there without a connection too. */
export async function loadDialogs(): Promise<void> {
  dialogs.value ??= await import('./dialogs.js')
}

/** Acts with many conversations; null until they are loaded. */
export const bulk = signal<typeof import('./bulk/bulk.js') | null>(null)

export async function loadBulk(): Promise<void> {
  bulk.value ??= await import('./bulk/bulk.js')
}

type DialogName = Exclude<keyof Dialogs, 'suggestionsFor'>
type OpenedProps<Name extends DialogName> = { dialog: Name } & Parameters<Dialogs[Name]>[0]

/** A dialog over a screen, which is loaded by then, or now. */
export function Opened<Name extends DialogName>({ dialog, ...props }: OpenedProps<Name>) {
  const [isFailed, ask] = useLoading(loadDialogs)
  const Dialog = dialogs.value?.[dialog] as FunctionComponent<typeof props> | undefined
  if (Dialog) return <Dialog {...props} />
  const { close } = props as { close?(): void }
  return isFailed ? <NotLoaded again={ask} close={close} /> : null
}

/** Loads at once. @returns whether that has failed, and how it is done again */
function useLoading(load: () => Promise<void>): [isFailed: boolean, again: () => void] {
  const [isFailed, setFailed] = useState(false)
  const again = (): void => {
    setFailed(false)
    load().catch(async () => {
      // The server answers: it has another build by now, and no more the files of this one. What was typed is kept.
      if (isFailed && (await isServed())) location.reload()
      else setFailed(true)
    })
  }
  useEffect(again, [])
  return [isFailed, again]
}

async function isServed(): Promise<boolean> {
  try {
    return (await fetch('/console', { method: 'HEAD' })).ok
  } catch {
    return false
  }
}

function NotLoaded({ again, close }: { again(): void; close?: (() => void) | undefined }) {
  return (
    <p class="band warn" role="alert">
      <Icon name="off" />
      {t().signIn.unreachable}
      <button class="btn small push" onClick={again}>
        {t().retry}
      </button>
      {close && (
        <button class="btn small ghost icon" aria-label={t().close} onClick={close}>
          <Icon name="x" />
        </button>
      )}
    </p>
  )
}
