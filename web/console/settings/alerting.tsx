import type { ComponentChildren } from 'preact'
import type { UserSettingsInput } from '../../generated/settings.js'
import { Icon } from '../../shared/ui/icon.js'
import { areSoundsBlocked, play, prepareSounds } from '../store/sounds.js'
import type { Sound } from '../store/tones.js'
import type { Me } from '../store/organization.js'
import { words } from './words.js'

export type Settings = Me['settings']
export type Change = (patch: UserSettingsInput) => void

export function BlockedSounds() {
  if (!areSoundsBlocked.value) return null
  return (
    <p class="band warn">
      <Icon name="sound" />
      {words.blocked}
      <span>{words.blockedHelp}</span>
      <button
        class="btn small push"
        onClick={() => {
          prepareSounds()
          play('chat')
        }}
      >
        {words.allowSounds}
      </button>
    </p>
  )
}

interface AlertingProps {
  settings: Settings
  change: Change
  /** Words beside the notifications. */
  children: ComponentChildren
}

export function Alerting({ settings, change, children }: AlertingProps) {
  const allowThen = (patch: UserSettingsInput, isOn: boolean): void => {
    change(patch)
    if (isOn && 'Notification' in globalThis && Notification.permission === 'default')
      void Notification.requestPermission()
  }
  const isDenied = 'Notification' in globalThis && Notification.permission === 'denied'
  return (
    <Box icon="bell" title={words.alerting}>
      <Switch
        label={words.audioOnChat}
        help={words.repeats}
        isOn={settings.audioOnChat}
        set={(audioOnChat) => change({ audioOnChat })}
        test="chat"
      />
      <Switch
        label={words.audioOnMessage}
        isOn={settings.audioOnMessage}
        set={(audioOnMessage) => change({ audioOnMessage })}
        test="message"
      />
      <Switch
        label={words.notifyOnChat}
        help={isDenied ? words.denied : undefined}
        isOn={settings.notifyOnChat}
        set={(notifyOnChat) => allowThen({ notifyOnChat }, notifyOnChat)}
        test="notification"
      />
      <Switch
        label={words.notifyOnMessage}
        help={isDenied ? words.denied : undefined}
        isOn={settings.notifyOnMessage}
        set={(notifyOnMessage) => allowThen({ notifyOnMessage }, notifyOnMessage)}
        test="notification"
      />
      {children}
      <Switch
        label={words.tabdotNotify}
        isOn={settings.tabdotNotify}
        set={(tabdotNotify) => change({ tabdotNotify })}
      />
      <Switch
        label={words.tabdotMessage}
        isOn={settings.tabdotMessage}
        set={(tabdotMessage) => change({ tabdotMessage })}
      />
      <Switch
        label={words.focusOnAccept}
        isOn={settings.focusOnAccept}
        set={(focusOnAccept) => change({ focusOnAccept })}
      />
    </Box>
  )
}

export function Box({ icon, title, children }: { icon: string; title: string; children: ComponentChildren }) {
  return (
    <section class="box" aria-label={title}>
      <header>
        <Icon name={icon} />
        <h2>{title}</h2>
      </header>
      {children}
    </section>
  )
}

interface SwitchProps {
  label: string
  help?: string
  isOn: boolean
  /** Cannot be switched. */
  isOff?: boolean
  set(isOn: boolean): void
  test?: Sound | 'notification'
}

export function Switch({ label, help, isOn, isOff, set, test }: SwitchProps) {
  const tryIt = (): void => {
    if (test === 'notification') void notifyOnce(words.testNotification)
    else if (test) play(test)
  }
  return (
    <div class="set">
      <label class="check switch">
        <input
          type="checkbox"
          role="switch"
          checked={isOn}
          disabled={isOff}
          onChange={(event) => set(event.currentTarget.checked)}
        />
        <span>
          {label}
          {help && <small>{help}</small>}
        </span>
      </label>
      {test && (
        <button class="btn small" aria-label={`${words.test}: ${label}`} onClick={tryIt}>
          <Icon name="play" size="s" />
          {words.test}
        </button>
      )}
    </div>
  )
}

async function notifyOnce(text: string): Promise<void> {
  if (!('Notification' in globalThis)) return
  if (Notification.permission === 'default') await Notification.requestPermission()
  // oxlint-disable-next-line no-new -- showing it is the effect
  if (Notification.permission === 'granted') new Notification(text, { icon: '/web/icon.svg' })
}
