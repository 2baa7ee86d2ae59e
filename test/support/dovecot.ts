import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createConnection, type Socket } from 'node:net'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { signalAll, withDescendants } from '../../bench/chaos/cluster/processes.js'
import { freePort } from '../../bench/chaos/free-port.js'
import { isInstalled } from './programs.js'
import { until } from './until.js'

/** Certificate of 127.0.0.1 and localhost, with its key: the process that connects must trust it. */
export const LOOPBACK_TLS = {
  certificate: new URL('../touchpoints/email/tls/loopback-certificate.pem', import.meta.url).pathname,
  key: new URL('../touchpoints/email/tls/loopback-key.pem', import.meta.url).pathname,
}

export const hasDovecot = (): boolean => isInstalled('dovecot')

const NOBODY = 65_534

/** A user's mailbox at a real IMAP server. */
export const MAILBOX = { user: 'support', password: 'a mailbox of the tests' }

/** Debian's dovecot on loopback, with a folder and a configuration of its own, run by a user without rights. */
export class Dovecot {
  #child: ChildProcess | null = null

  private constructor(
    readonly root: string,
    /** With TLS from the first byte. */
    readonly port: number,
    /** Without TLS; STARTTLS is offered. */
    readonly plainPort: number,
    readonly lmtpPort: number,
  ) {}

  static async start(): Promise<Dovecot> {
    const root = mkdtempSync(join(tmpdir(), 'switchboard-dovecot-'))
    const server = new Dovecot(root, await freePort(), await freePort(), await freePort())
    for (const folder of ['mail', 'run']) mkdirSync(join(root, folder))
    cpSync(LOOPBACK_TLS.certificate, join(root, 'certificate.pem'))
    cpSync(LOOPBACK_TLS.key, join(root, 'key.pem'))
    server.setPassword(MAILBOX.password)
    writeFileSync(join(root, 'dovecot.conf'), server.#configuration())
    if (isRoot()) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, root])
    chmodSync(root, 0o755)
    await server.run()
    return server
  }

  /** Starts its process again after {@link stop}. */
  async run(): Promise<void> {
    const { root } = this
    const as = isRoot() ? { uid: NOBODY, gid: NOBODY } : {}
    this.#child = spawn('dovecot', ['-F', '-c', join(root, 'dovecot.conf')], { ...as, stdio: 'ignore', cwd: root })
    await until(() => answers(this.port))
  }

  async stop(): Promise<void> {
    const child = this.#child
    this.#child = null
    if (!child?.pid) return
    const all = withDescendants([child.pid])
    const ended = child.exitCode === null ? once(child, 'exit') : null
    signalAll(all, 'SIGCONT')
    signalAll(all, 'SIGKILL')
    await ended
    await until(() => all.every((pid) => !existsSync(`/proc/${pid}/exe`)))
  }

  async close(): Promise<void> {
    await this.stop()
    rmSync(this.root, { recursive: true, force: true })
  }

  /** Ends the sessions of all clients, as an overloaded server does. */
  cutSessions(): void {
    signalAll(this.#sessions(), 'SIGKILL')
  }

  /** Keeps connections open and answers nothing, until `resume`. */
  hang(): void {
    signalAll(this.#sessions(), 'SIGSTOP')
  }

  resume(): void {
    signalAll(this.#sessions(), 'SIGCONT')
  }

  get sessions(): number {
    return this.#sessions().length
  }

  setPassword(password: string): void {
    writeFileSync(join(this.root, 'users'), `${MAILBOX.user}:{PLAIN}${password}\n`)
  }

  /** Copies all mail aside. The server must be stopped. */
  backUp(name: string): void {
    cpSync(join(this.root, 'mail'), join(this.root, name), { recursive: true, preserveTimestamps: true })
  }

  /** Loses all mail. The server must be stopped. */
  empty(): void {
    rmSync(join(this.root, 'mail'), { recursive: true })
    mkdirSync(join(this.root, 'mail'))
    if (isRoot()) spawnSync('chown', [`${NOBODY}:${NOBODY}`, join(this.root, 'mail')])
  }

  /** Puts back what {@link backUp} copied. The server must be stopped. */
  restore(name: string): void {
    rmSync(join(this.root, 'mail'), { recursive: true })
    cpSync(join(this.root, name), join(this.root, 'mail'), { recursive: true, preserveTimestamps: true })
    if (isRoot()) spawnSync('chown', ['-R', `${NOBODY}:${NOBODY}`, join(this.root, 'mail')])
  }

  /** Its log, for a test that fails. */
  get log(): string {
    return readFileSync(join(this.root, 'log'), 'utf8')
  }

  #sessions(): number[] {
    const pids = this.#child?.pid ? withDescendants([this.#child.pid]) : []
    return pids.filter(
      (pid) => commandOf(pid).startsWith('dovecot/imap\0') || /^dovecot\/imap( |$)/.test(commandOf(pid)),
    )
  }

  #configuration(): string {
    const { root } = this
    const user = isRoot() ? 'nobody' : userInfo().username
    const group = isRoot() ? 'nogroup' : spawnSync('id', ['-gn'], { encoding: 'utf8' }).stdout.trim()
    return `
protocols = imap lmtp
listen = 127.0.0.1
base_dir = ${root}/run
state_dir = ${root}/run
log_path = ${root}/log
default_internal_user = ${user}
default_internal_group = ${group}
default_login_user = ${user}
first_valid_uid = 1
mail_location = sdbox:${root}/mail/%u
mail_max_userip_connections = 200
ssl = yes
ssl_cert = <${root}/certificate.pem
ssl_key = <${root}/key.pem
disable_plaintext_auth = no
auth_mechanisms = plain login
auth_failure_delay = 0
passdb {
  driver = passwd-file
  args = ${root}/users
}
userdb {
  driver = static
  args = uid=${user} gid=${group} home=${root}/mail/%u
}
namespace inbox {
  inbox = yes
  mailbox Sent {
    auto = create
    special_use = \\Sent
  }
}
protocol lmtp {
  auth_username_format = %n
}
service anvil {
  chroot =
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${this.plainPort}
  }
  inet_listener imaps {
    port = ${this.port}
    ssl = yes
  }
}
service lmtp {
  inet_listener lmtp {
    port = ${this.lmtpPort}
  }
}
service imap {
  process_limit = 400
}
service stats {
  chroot =
}
`
  }
}

const isRoot = (): boolean => userInfo().uid === 0

function commandOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8')
  } catch {
    return ''
  }
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket: Socket = createConnection({ host: '127.0.0.1', port })
    const end = (isThere: boolean): void => {
      socket.destroy()
      resolve(isThere)
    }
    socket.once('connect', () => end(true))
    socket.once('error', () => end(false))
  })
}
