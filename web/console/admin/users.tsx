import { Refused } from '@switchboard/client'
import { useState } from 'preact/hooks'
import {
  AdminUsersDocument,
  CreateSignInLinkDocument,
  CreateUserDocument,
  UpdateUserDocument,
  type AdminUsersQuery,
  type UserRole,
} from '../../generated/admin.js'
import { shortTime, timeOfDay } from '../../shared/i18n/format.js'
import { Avatar } from '../../shared/ui/avatar.js'
import { UserFactor } from '../security/user-factor.js'
import { UserIdentities } from '../security/user-identities.js'
import { UserTokens } from '../security/user-tokens.js'
import { SessionList } from '../sessions/session-list.js'
import { useStore } from '../store/console-store.js'
import { Lazy } from '../lazy.js'
import { route } from '../route.js'
import { FormDialog, type Values } from './form-dialog.js'
import { CopyButton } from '../../shared/ui/copy-button.js'
import { EditButton, More, Section, Table } from './section.js'
import { usePages } from './use-pages.js'
import { words } from './words.js'

type User = AdminUsersQuery['users']['edges'][number]['node']

/** People who may sign in, and their roles; or the page of one bot. */
export function Users() {
  const shown = route.value
  const [, bot] = shown.page === 'admin' ? shown.rest.split('/') : []
  return bot ? <Lazy key={bot} load={() => import('../bots/admin/bot-page.js')} props={{ id: bot }} /> : <UserList />
}

function UserList() {
  const store = useStore()
  const answer = usePages(AdminUsersDocument, ({ users }) => users, 'user')
  const [edited, edit] = useState<User | 'new' | null>(null)
  const [token, setToken] = useState<string | null>(null)
  const [link, setLink] = useState<{ user: string; url: string; expiresAt: string } | null>(null)
  const own = words.users
  const users = answer.rows
  const saveNew = async ({ email, displayName, role, password }: Values): Promise<void> => {
    const given =
      role === 'BOT' ? {} : password ? { password: password as string, status: 'ACTIVE' as const } : { invite: true }
    const input = {
      email: email as string,
      displayName: (displayName as string) || null,
      role: role as UserRole,
      ...given,
    }
    const { createUser } = await store.request(CreateUserDocument, { input }).catch(inWords)
    setToken(createUser.apiToken)
    answer.refresh()
  }
  const save = async (user: User, { email, displayName, role, password, status }: Values): Promise<void> => {
    const patch = {
      ...(email !== user.email && { email: email as string }),
      displayName: displayName as string,
      ...(role !== user.role && { role: role as UserRole }),
      ...(password && { password: password as string }),
      ...(status !== user.status && { status: status as User['status'] }),
    }
    await store
      .request(UpdateUserDocument, { id: user.id, patch: { ...patch, ifVersion: user.version } })
      .catch(inWords)
    answer.refresh()
  }
  const makeLink = async ({ id, displayName }: User): Promise<void> => {
    const { createSignInLink } = await store.request(CreateSignInLinkDocument, { user: id })
    setLink({ user: displayName, ...createSignInLink })
  }
  return (
    <Section title={words.sections.users} answer={answer} action={{ label: own.add, run: () => edit('new') }}>
      {token && (
        <p class="band good">
          {own.token}
          <code class="code">{token}</code>
        </p>
      )}
      {link && (
        <div class="band good" role="status">
          <span>{own.link(link.user, timeOfDay(link.expiresAt))}</span>
          <code class="code">{link.url}</code>
          <CopyButton text={link.url} label={words.copy} done={words.copied} />
        </div>
      )}
      {users.length > 0 && (
        <Table
          label={words.sections.users}
          heads={[own.displayName, own.email, own.role, own.status, own.lastLogin, '']}
        >
          {users.map((user) => (
            <tr key={user.id}>
              <th scope="row">
                <span class="line">
                  <Avatar name={user.displayName} of={user.id} size="s" />
                  {user.role === 'BOT' ? (
                    <a href={`/console/admin/users/${user.id}`}>
                      <bdi>{user.displayName}</bdi>
                    </a>
                  ) : (
                    <bdi>{user.displayName}</bdi>
                  )}
                </span>
              </th>
              <td>{user.email}</td>
              <td>{own.roles[user.role]}</td>
              <td>
                {own.statuses[user.status!]} {user.pausedAt && <span class="tag warn">{own.paused}</span>}
              </td>
              <td>{user.lastLogin ? shortTime(user.lastLogin, store.now.value) : own.never}</td>
              <EditButton name={user.displayName} run={() => edit(user)} />
            </tr>
          ))}
        </Table>
      )}
      <More more={answer.more} />
      {edited === 'new' && (
        <FormDialog
          title={own.addTitle}
          close={() => edit(null)}
          save={saveNew}
          fields={[
            { name: 'email', label: own.email, kind: 'email', isRequired: true },
            { name: 'displayName', label: own.displayName, isRequired: true },
            {
              name: 'role',
              label: own.role,
              kind: 'select',
              value: 'AGENT',
              options: rolesOf(['AGENT', 'ADMIN', 'BOT']),
            },
            { name: 'password', label: own.password, kind: 'password', help: own.passwordHelp },
          ]}
        />
      )}
      {edited !== null && edited !== 'new' && (
        <FormDialog
          title={edited.displayName}
          record={edited.id}
          close={() => edit(null)}
          extra={
            edited.role === 'BOT' || edited.status === 'ARCHIVED'
              ? undefined
              : { label: own.makeLink, run: () => makeLink(edited) }
          }
          save={(values) => save(edited, values)}
          fields={[
            { name: 'email', label: own.email, kind: 'email', value: edited.email!, isRequired: true },
            { name: 'displayName', label: own.displayName, value: edited.displayName, isRequired: true },
            {
              name: 'role',
              label: own.role,
              kind: 'select',
              value: edited.role,
              options: rolesOf(['AGENT', 'ADMIN', 'OWNER', 'BOT']),
            },
            {
              name: 'status',
              label: own.status,
              kind: 'select',
              value: edited.status!,
              options: [...new Set([edited.status!, 'ACTIVE', 'ARCHIVED'])].map((each) => [each, own.statuses[each]!]),
            },
            ...(edited.role === 'BOT'
              ? []
              : [{ name: 'password', label: own.newPassword, kind: 'password' as const, help: own.newPasswordHelp }]),
          ]}
        >
          {edited.role === 'BOT' && (
            <>
              <p>
                <a href={`/console/admin/users/${edited.id}`}>{own.botPage}</a>
              </p>
              <UserTokens user={edited.id} />
            </>
          )}
          {edited.role !== 'BOT' && (
            <>
              <UserFactor user={edited.id} />
              <UserIdentities user={edited.id} />
              <SessionList user={edited.id} />
            </>
          )}
        </FormDialog>
      )}
    </Section>
  )
}

function rolesOf(roles: readonly string[]): [string, string][] {
  return roles.map((role) => [role, words.users.roles[role]!])
}

/** A password that the sign-in policy refuses, in the words of the page. */
function inWords(error: Error): never {
  if (!(error instanceof Refused)) throw error
  const { code, field, reason, retryAfterSeconds, details } = error
  const own = words.users
  const text =
    reason === 'PASSWORD_TOO_SHORT'
      ? own.passwordTooShort(String(details.minLength))
      : reason === 'PASSWORD_COMMON'
        ? own.passwordCommon
        : reason === 'PASSWORD_NAMES_USER'
          ? own.passwordNamesUser
          : null
  throw text === null ? error : new Refused(text, code, field, retryAfterSeconds, reason)
}
