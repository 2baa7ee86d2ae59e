import { Refused } from '@switchboard/client'
import { useRef, useState } from 'preact/hooks'
import {
  AdminSignInPolicyDocument,
  SignInPolicyEffectsDocument,
  UpdateSignInPolicyDocument,
  type AdminSignInPolicyFragment,
  type PolicyRulesFragment,
} from '../../../generated/sign-in-policy.js'
import { ErrorHint } from '../../../shared/ui/error-hint.js'
import { Icon } from '../../../shared/ui/icon.js'
import { useStore } from '../../store/console-store.js'
import { FormDialog, numberIn, type Values } from '../form-dialog.js'
import { EditLink } from '../section.js'
import type { Organizations } from '../use-organizations.js'
import { useQuery } from '../use-query.js'
import { words as admin } from '../words.js'
import { words } from './words.js'

const RULES = [
  'passwordLogin',
  'secondFactor',
  'graceDays',
  'passwordMinLength',
  'maxSessionHours',
  'idleMinutes',
  'allowedNetworks',
  'apiTokenNetworks',
  'apiTokenMaxDays',
] as const
type Rule = (typeof RULES)[number]
/** The sentence about second factors has their days. */
const SENTENCES = RULES.filter((rule) => rule !== 'graceDays')
const CHOICES = new Set<Rule>(['passwordLogin', 'secondFactor'])
type PolicyPatch = PolicyRulesFragment & { ifVersion: number }

/** The rules by which users sign in, as sentences: what holds, and what of it the organization itself has set. */
export function Policy({ organizations }: { organizations: Organizations }) {
  const store = useStore()
  const [chosen, choose] = useState<string | null>(null)
  const [isEdited, edit] = useState(false)
  const warned = useRef('')
  const organization = chosen ?? (organizations.field.value as string | undefined) ?? null
  const { data, error, refresh } = useQuery(AdminSignInPolicyDocument, { organization }, 'signInPolicy')
  const policy = data?.signInPolicy ?? null
  const name = organization === null ? '' : organizations.nameOf(organization)
  const save = async (values: Values): Promise<void> => {
    const patch = { ...rulesIn(values), ifVersion: policy!.version }
    try {
      await warn(patch)
      await store.request(UpdateSignInPolicyDocument, { organization, patch })
    } catch (failure) {
      throw inWords(failure as Error)
    }
    refresh()
  }
  /** Says what the change ends at once; whoever saves the same again has read it. */
  const warn = async (patch: PolicyPatch): Promise<void> => {
    const asked = JSON.stringify([organization, patch])
    if (warned.current === asked) return
    const { signInPolicyEffects: effects } = await store.request(SignInPolicyEffectsDocument, { organization, patch })
    const ends = words.ends(effects)
    if (ends === '') return
    warned.current = asked
    throw new Refused(`${ends} ${words.saveAgain}`, 'UNPROCESSABLE', null, 0)
  }
  return (
    <section class="box" aria-label={words.policy} aria-busy={policy === null && !error}>
      <header>
        <Icon name="lock" />
        <h2>{words.policy}</h2>
        {organizations.options.length > 1 && (
          <select
            class="in push"
            aria-label={admin.organization}
            value={organization ?? ''}
            onChange={({ currentTarget: { value } }) => choose(value)}
          >
            {organizations.options.map(([id, label]) => (
              <option key={id} value={id}>
                {label}
              </option>
            ))}
          </select>
        )}
        {policy && (
          <span class={organizations.options.length > 1 ? undefined : 'push'}>
            <EditLink name={words.policy} run={() => edit(true)} />
          </span>
        )}
      </header>
      <ErrorHint text={error?.message} />
      {policy && (
        <ul class="stack pad">
          {SENTENCES.map((rule) => (
            <li key={rule} class="line">
              <span>{sentence(rule, policy.effective)}</span>
              {policy.effective[rule] !== null && (
                <span class="tag">{isOwn(rule, policy) ? words.ownRule : words.inheritedRule}</span>
              )}
            </li>
          ))}
        </ul>
      )}
      {isEdited && policy && (
        <FormDialog
          title={name === '' ? words.policy : words.policyOf(name)}
          close={() => edit(false)}
          save={save}
          fields={RULES.map((rule) => ({
            name: rule,
            label: words.rules[rule],
            help: helpOf(rule, policy),
            kind: CHOICES.has(rule) ? 'select' : rule.endsWith('Networks') ? 'lines' : 'text',
            ...(rule === 'passwordLogin' && { options: words.passwordOptions }),
            ...(rule === 'secondFactor' && { options: words.factorOptions }),
            value: [policy.own[rule] ?? ''].flat().join('\n'),
          }))}
        />
      )}
    </section>
  )
}

function sentence(rule: Rule, rules: PolicyRulesFragment): string {
  const { [rule]: value } = rules
  if (value === null) return words.noRule[rule]
  if (typeof value === 'boolean') return words.passwordOff
  if (typeof value === 'string') return words.factorRule(value, rules.graceDays ?? 0)
  return Array.isArray(value) ? words.networkRule[rule]!(value.join(', ')) : words.numberRule[rule]!(value)
}

/** The organization's own rule is what holds. */
function isOwn(rule: Rule, { own, effective }: AdminSignInPolicyFragment): boolean {
  return String(own[rule] ?? '') === String(effective[rule])
}

function helpOf(rule: Rule, policy: AdminSignInPolicyFragment): string {
  const { [rule]: value } = policy.effective
  const isInherited = value !== null && !isOwn(rule, policy)
  return isInherited
    ? `${words.ruleHelp[rule]} ${words.holds(Array.isArray(value) || typeof value === 'number' ? [value].flat().join(', ') : sentence(rule, policy.effective))}`
    : words.ruleHelp[rule]
}

function rulesIn(values: Values): PolicyRulesFragment {
  const number = (rule: Rule): number | null => numberIn(rule, values[rule] as string, words.ruleHelp[rule])
  const networks = (rule: Rule): string[] | null => {
    const lines = (values[rule] as string).split('\n').map((line) => line.trim())
    const given = lines.filter((line) => line !== '')
    return given.length === 0 ? null : given
  }
  return {
    passwordLogin: values.passwordLogin === 'false' ? false : null,
    secondFactor: (values.secondFactor || null) as PolicyRulesFragment['secondFactor'],
    graceDays: values.secondFactor ? number('graceDays') : null,
    passwordMinLength: number('passwordMinLength'),
    maxSessionHours: number('maxSessionHours'),
    idleMinutes: number('idleMinutes'),
    allowedNetworks: networks('allowedNetworks'),
    apiTokenNetworks: networks('apiTokenNetworks'),
    apiTokenMaxDays: number('apiTokenMaxDays'),
  }
}

/** The refusal in the user's words, at its field; one of another kind as it is. */
function inWords(error: Error): Error {
  if (!(error instanceof Refused)) return error
  const rule = RULES.find((each) => error.field?.startsWith(each))
  const text =
    error.reason === 'WOULD_LOCK_OUT'
      ? rule === 'passwordLogin'
        ? words.lockOutPassword
        : rule === 'secondFactor'
          ? words.lockOutFactor
          : words.lockOut
      : error.reason === 'STRICTER_ABOVE'
        ? words.stricterAbove
        : error.reason === 'INVALID_VALUE' && rule
          ? words.ruleHelp[rule]
          : null
  return text === null ? error : new Refused(text, error.code, error.field, error.retryAfterSeconds, error.reason)
}
