import { useRef, useState } from 'preact/hooks'
import { Icon } from '../../shared/ui/icon.js'
import { useStore } from '../store/console-store.js'
import { hindrance, isPushed, NotAllowed, switchOff, switchOn, type Hindrance } from '../push/push.js'
import { Switch, type Change } from './alerting.js'
import { words } from './words.js'

/** Notifications while no page is open: for this browser, and as long as any has them, the user's setting (2.3). */
export function PushSwitch({ change }: { change: Change }) {
  const store = useStore()
  const [isOn, set] = useState(isPushed(store.user) && store.organization.me.value?.settings.pushNotify === true)
  const [fault, setFault] = useState<string | null>(null)
  const why = hindrance()
  // One after the other, however quickly it is switched.
  const work = useRef(Promise.resolve())
  const turn = (next: boolean): void => {
    set(next)
    work.current = apply(next, work.current)
  }
  const apply = async (next: boolean, before: Promise<void>): Promise<void> => {
    await before
    setFault(null)
    try {
      if (next) await switchOn(store)
      const isWanted = next || (await switchOff(store))
      change({ pushNotify: isWanted })
    } catch (error) {
      // It may have got half way.
      set(isPushed(store.user))
      setFault(reasonOf(hindrance()) ?? (error instanceof NotAllowed ? words.pushNotAllowed : failed(error)))
    }
  }
  return (
    <>
      <Switch label={words.push} help={reasonOf(why) ?? words.pushHelp} isOn={isOn} isOff={why !== null} set={turn} />
      {fault && (
        <p class="pad hint bad" role="alert">
          <Icon name="alert" size="s" />
          {fault}
        </p>
      )}
    </>
  )
}

function reasonOf(why: Hindrance | null): string | null {
  return why && { insecure: words.pushInsecure, unsupported: words.pushUnsupported, denied: words.denied }[why]
}

function failed(error: unknown): string {
  return `${words.pushFailed}: ${(error as Error).message}`
}
