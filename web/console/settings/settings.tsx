import { useState } from 'preact/hooks'
import { UpdateMySettingsDocument } from '../../generated/settings.js'
import { LOCALES, t, type Locale } from '../../shared/i18n/messages.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { Icon } from '../../shared/ui/icon.js'
import { keptTheme, setTheme, type Theme } from '../../shared/ui/theme.js'
import { singleKeys } from '../commands/keys.js'
import { enterSends } from '../composer/enter-sends.js'
import { OwnMacros } from '../macros/own-macros.js'
import { SessionList } from '../sessions/session-list.js'
import { OwnFactor } from '../security/own-factor.js'
import type { KeptSwitch } from '../kept.js'
import { bySentence } from '../thread/reads-aloud.js'
import { useStore } from '../store/console-store.js'
import { Alerting, BlockedSounds, Box, Switch, type Change, type Settings } from './alerting.js'
import { CannedResponses } from './canned-responses.js'
import { keptDensity, setDensity } from './density.js'
import { localeOf, userLocaleOf } from '../locale.js'
import { Signature } from './signature.js'
import { PushSwitch } from './push-switch.js'
import { useSettingsWords, words } from './words.js'

/** The agent's own settings (2.3): each is saved as it is changed, and shown as the server has it. */
export default function SettingsScreen() {
  const store = useStore()
  const isLoaded = useSettingsWords()
  const me = store.organization.me.value
  const [state, setState] = useState<{ is: 'saved' | 'saving' | 'failed'; message?: string }>({ is: 'saved' })
  // Nothing is shown in one language and then in another.
  if (!me || !isLoaded)
    return (
      <main class="col" id="main" tabIndex={-1} aria-busy="true">
        <div class="page">
          <h1>{t().settings.title}</h1>
        </div>
      </main>
    )

  const change: Change = (patch) => {
    setState({ is: 'saving' })
    store.request(UpdateMySettingsDocument, { patch }).then(
      ({ updateMySettings }) => {
        store.organization.setSettings(updateMySettings.settings!)
        setState({ is: 'saved' })
      },
      (error: Error) => setState({ is: 'failed', message: error.message }),
    )
  }
  return (
    <main class="col" id="main" tabIndex={-1}>
      <div class="scroll" tabIndex={-1}>
        <div class="page">
          <header>
            <div class="line">
              <Avatar name={me.displayName} of={me.id} size="l" />
              <div>
                <h1>{t().settings.title}</h1>
                <p class="mid">
                  <bdi>{me.displayName}</bdi> · {me.email}
                </p>
              </div>
            </div>
            <span class="push line">
              <span class="mute t2" role="status">
                {state.is === 'saved' ? words.saved : state.is === 'saving' ? words.saving : ''}
              </span>
              {store.isAdmin && (
                <a class="btn phone" href="/console/admin">
                  {t().nav.admin}
                </a>
              )}
              <button class="btn" onClick={() => void store.session.signOut()}>
                {t().settings.signOut}
              </button>
            </span>
          </header>
          {state.is === 'failed' && (
            <p class="band bad" role="alert">
              <Icon name="alert" />
              {words.notSaved}: {state.message}
            </p>
          )}
          <BlockedSounds />
          <div class="grid top">
            <Alerting settings={me.settings} change={change}>
              <PushSwitch change={change} />
            </Alerting>
            <div class="stack">
              <Appearance />
              <Language settings={me.settings} change={change} />
              <Keys />
            </div>
          </div>
          <CannedResponses
            responses={me.settings.cannedResponses}
            change={(cannedResponses) => change({ cannedResponses })}
          />
          <Signature html={me.settings.signature} name={me.displayName} change={(signature) => change({ signature })} />
          <OwnMacros />
          <OwnFactor />
          <SessionList user={me.id} isOwn />
        </div>
      </div>
    </main>
  )
}

function Appearance() {
  const [theme, choose] = useState<Theme>(keptTheme())
  const [density, fill] = useState(keptDensity())
  const themes: [Theme, string][] = [
    [null, words.system],
    ['light', words.light],
    ['dark', words.dark],
  ]
  return (
    <Box icon="half" title={words.appearance}>
      <div class="pad stack">
        <div class="line">
          <span class="grow" id="theme-label">
            {words.theme}
          </span>
          <span class="seg" role="group" aria-labelledby="theme-label">
            {themes.map(([value, label]) => (
              <button
                key={label}
                aria-pressed={theme === value}
                onClick={() => {
                  setTheme(value)
                  choose(value)
                }}
              >
                {label}
              </button>
            ))}
          </span>
        </div>
        <div class="line">
          <span class="grow" id="density-label">
            {words.density}
          </span>
          <span class="seg" role="group" aria-labelledby="density-label">
            {(['comfortable', 'compact'] as const).map((value) => (
              <button
                key={value}
                aria-pressed={density === value}
                onClick={() => {
                  setDensity(value)
                  fill(value)
                }}
              >
                {words[value]}
              </button>
            ))}
          </span>
        </div>
      </div>
    </Box>
  )
}

/** Stands for the browser's own choice. */
const BROWSER = 'browser'

function Language({ settings, change }: { settings: Settings; change: Change }) {
  const zones = Intl.supportedValuesOf('timeZone')
  return (
    <Box icon="web" title={words.language}>
      <div class="pad stack">
        <div class="field">
          <label for="locale">{words.locale}</label>
          <select
            class="in"
            id="locale"
            value={settings.localeSet ? localeOf(settings.locale) : BROWSER}
            onChange={({ currentTarget: { value } }) =>
              change(
                value === BROWSER ? { localeSet: false } : { locale: userLocaleOf(value as Locale), localeSet: true },
              )
            }
          >
            <option value={BROWSER}>{words.browserLocale}</option>
            {Object.entries(LOCALES).map(([locale, name]) => (
              <option key={locale} value={locale} lang={locale}>
                {name}
              </option>
            ))}
          </select>
        </div>
        <div class="field">
          <label for="zone">{words.timezone}</label>
          <select
            class="in"
            id="zone"
            value={settings.timezone ?? 'UTC'}
            onChange={(event) => change({ timezone: event.currentTarget.value, timezoneSet: true })}
          >
            {[...new Set([settings.timezone ?? 'UTC', ...zones])].map((zone) => (
              <option key={zone}>{zone}</option>
            ))}
          </select>
        </div>
      </div>
    </Box>
  )
}

function Keys() {
  return (
    <Box icon="keys" title={words.keys}>
      <OwnSwitch label={words.singleKeys} help={words.singleKeysHelp} kept={singleKeys} />
      <OwnSwitch label={words.enterSends} help={words.enterSendsHelp} kept={enterSends} />
      <OwnSwitch label={words.bySentence} help={words.bySentenceHelp} kept={bySentence} />
    </Box>
  )
}

/** A setting of this browser. */
function OwnSwitch({ label, help, kept }: { label: string; help: string; kept: KeptSwitch }) {
  const [isOn, set] = useState(kept.isOn)
  return (
    <Switch
      label={label}
      help={help}
      isOn={isOn}
      set={(next) => {
        kept.set(next)
        set(next)
      }}
    />
  )
}
