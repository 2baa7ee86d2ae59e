import { describe, expect, it } from '@jest/globals'
import { chooseDelivery, routesInOrder } from '../../src/modules/conversations/delivery/choose-delivery.js'
import type { ContactRoutes, HandleRoute } from '../../src/modules/conversations/state/contact-routes.js'
import type { Touchpoint } from '../../src/modules/touchpoint-traits.js'

const ALL: ContactRoutes['services'] = [
  { id: 'w', touchpoint: 'web' },
  { id: 'e', touchpoint: 'email' },
  { id: 's', touchpoint: 'sms' },
  { id: 'm', touchpoint: 'messenger' },
]

/**
 * @param known letters: O online on the web, W on the web at some time, E an email address, S a telephone, M a handle, C one that is closed
 * @param without services that the organization has not
 */
function reach(known: string, without = ''): ContactRoutes {
  return {
    email: known.includes('E') ? 'carl@example.com' : null,
    telephone: known.includes('S') ? '+31612345678' : null,
    handles: known.includes('M') || known.includes('C') ? [handleAt('m', known.includes('C') ? CLOSED : null)] : [],
    isOnline: known.includes('O'),
    isKnownOnWeb: known.includes('O') || known.includes('W'),
    services: ALL.filter(({ id }) => !without.includes(id)),
  }
}

const NOW = new Date('2026-11-24T12:00:00Z')
const CLOSED = '2026-11-24T11:59:59Z'
const NOWHERE = { touchpoint: null, touchpointChosen: false }
const OPEN = '2026-11-24T12:00:01Z'

function handleAt(service: string, openUntil: string | null, more: Partial<HandleRoute> = {}): HandleRoute {
  return { service, address: `psid-${service}`, openUntil, machinesUntil: openUntil, blockedAt: null, ...more }
}

const T: Record<string, Touchpoint> = { w: 'web', e: 'email', s: 'sms', m: 'messenger' }

/** The chosen way, in capitals when it fails. */
function chosen(contact: ContactRoutes, held: string, message = ''): string {
  const [touchpoint, service] = message.split('@')
  const way = chooseDelivery(contact, {
    touchpoint: touchpoint ? T[touchpoint]! : null,
    service: service ?? null,
    sender: 'person',
    now: NOW,
    // `!`: chosen by /set @touchpoint.
    conversation: { touchpoint: held ? T[held[0]!]! : null, touchpointChosen: held.endsWith('!') },
  })
  const [letter] = Object.entries(T).find(([, name]) => name === way.touchpoint)!
  return 'failure' in way ? letter.toUpperCase() : letter
}

/** The first way of which the list says that it can be taken. */
function firstRoute(contact: ContactRoutes, held: string): string | undefined {
  const conversation = { touchpoint: held ? T[held[0]!]! : null, touchpointChosen: held.endsWith('!') }
  const ways = routesInOrder(contact, { sender: 'person', now: NOW, conversation })
  const first = ways.find((way) => !('failure' in way))
  return Object.keys(T).find((letter) => T[letter] === first?.touchpoint)
}

describe('the touchpoint of a message to the consumer (4.7, message delivery rules)', () => {
  // [contact, conversation's touchpoint (`!` chosen by /set), message's touchpoint@service, services missing, → way]
  // [4.7 delivery rule 1 online, delivery rule 1 fallback, delivery rule 2 service, delivery rule 2 touchpoint,
  // delivery rule 4, delivery rule 4 order]
  it.each([
    // Rule 1: where the contact is online, then where the conversation is held and the contact known.
    ['OESM', 'w', '', '', 'w'],
    ['OESM', 'e', '', '', 'w'],
    ['OESM', '', '', '', 'w'],
    ['O', 's', '', '', 'w'],
    ['WESM', 'w', '', '', 'm'],
    ['ESM', '', '', '', 'm'],
    ['ESM', 'e', '', '', 'e'],
    ['ESM', 's', '', '', 's'],
    // … with fallback to email or sms.
    ['WES', 'w', '', '', 'e'],
    ['WS', 'w', '', '', 's'],
    ['E', 'm', '', '', 'e'],
    ['S', 'e', '', '', 's'],
    ['ES', 'e', '', 'e', 's'],
    ['ESM', 'm', '', 'm', 'e'],
    // Nothing leads out: it waits on the web, if the contact was there or comes from there.
    ['W', 'w', '', '', 'w'],
    ['WES', 'w', '', 'es', 'w'],
    ['', 'w', '', '', 'w'],
    ['W', 'e', '', '', 'w'],
    ['', 'e', '', '', 'E'],
    ['ES', 's', '', 'es', 'S'],
    ['', '', '', '', 'W'],
    // Rule 2: the message's own target, and no other.
    ['OESM', 'w', 'e', '', 'e'],
    ['OESM', 'w', 's', '', 's'],
    ['OESM', 'w', 'm', '', 'm'],
    ['ESM', 'e', 'w', '', 'w'],
    ['OE', 'w', 's', '', 'S'],
    ['OE', 'w', 'm', '', 'M'],
    ['OS', 'w', 'e', '', 'E'],
    ['OESM', 'w', 's', 's', 'S'],
    ['OESM', 'w', '@s', '', 's'],
    ['OESM', 'w', '@e', '', 'e'],
    ['OESM', 'w', 'e@e', '', 'e'],
    ['ESM', 'e', '@w', '', 'w'],
    ['OESM', 'w', 'e@s', '', 'E'],
    ['OESM', 'w', '@x', '', 'W'],
    ['O', 'w', '@s', '', 'S'],
    ['OESM', 'e!', 's', '', 's'],
    // Rule 4: what was chosen; if unavailable web, messenger, email, sms.
    ['OESM', 'e!', '', '', 'e'],
    ['OESM', 's!', '', '', 's'],
    ['OESM', 'm!', '', '', 'm'],
    ['WESM', 'w!', '', '', 'w'],
    ['OE', 's!', '', '', 'w'],
    ['ESM', 'w!', '', '', 'm'],
    ['ES', 'm!', '', '', 'e'],
    ['S', 'e!', '', '', 's'],
    ['WM', 's!', '', '', 'm'],
    ['WE', 's!', '', '', 'e'],
    ['W', 's!', '', '', 'w'],
    ['OESM', 'e!', '', 'e', 'w'],
    ['', 's!', '', '', 'S'],
    ['ES', 's!', '', 's', 'e'],
    // A closed window makes a touchpoint unavailable; what is chosen fails.
    ['ESC', '', '', '', 'e'],
    ['ESC', 'm', '', '', 'e'],
    ['ESC', 'm!', '', '', 'e'],
    ['WSC', 'w', '', '', 's'],
    ['WC', 'm', '', '', 'w'],
    ['C', 'm', '', '', 'M'],
    ['ESC', 'e', 'm', '', 'M'],
    ['ESC', 'e', '@m', '', 'M'],
  ])('of a contact %j, held by %j, message to %j, without services %j: %j', (contact, held, message, without, way) => {
    expect(chosen(reach(contact, without), held, message)).toBe(way)
    // The routes that agents see begin with the one that is taken.
    if (message === '' && way === way.toLowerCase()) expect(firstRoute(reach(contact, without), held)).toBe(way)
  })

  it('takes the nearest service, and for the messenger the one that knows the contact', () => {
    const own = reach('EM')
    own.services = [
      { id: 'e2', touchpoint: 'email' },
      { id: 'e', touchpoint: 'email' },
      { id: 'm2', touchpoint: 'messenger' },
      { id: 'm', touchpoint: 'messenger' },
    ]
    const wish = {
      service: null,
      touchpoint: null,
      sender: 'person',
      now: NOW,
      conversation: { touchpoint: 'email', touchpointChosen: false },
    } as const
    expect(chooseDelivery(own, wish)).toEqual({ touchpoint: 'email', service: 'e2', recipient: 'carl@example.com' })
    expect(chooseDelivery(own, { ...wish, touchpoint: 'messenger' })).toMatchObject({
      service: 'm',
      recipient: 'psid-m',
    })
  })

  it('takes no other number where the consumer opted out of the one last used, as the list says, but by name', () => {
    const contact: ContactRoutes = {
      ...reach('ES'),
      services: [
        { id: 's', touchpoint: 'sms', optedOutAt: CLOSED },
        { id: 's2', touchpoint: 'sms', optedOutAt: null },
        { id: 'e', touchpoint: 'email' },
      ],
    }
    const wish = { touchpoint: null, service: null, sender: 'person', now: NOW, conversation: NOWHERE } as const
    expect(chooseDelivery(contact, wish)).toMatchObject({ service: 'e' })
    expect(chooseDelivery(contact, { ...wish, touchpoint: 'sms' })).toMatchObject({ service: 's', code: 'blocked' })
    const first = routesInOrder(contact, wish).find((way) => !('failure' in way))
    expect(first).toMatchObject({ service: 'e' })
    expect(chooseDelivery(contact, { ...wish, service: 's' })).toMatchObject({ code: 'blocked' })
    expect(chooseDelivery(contact, { ...wish, service: 's2' })).toMatchObject({ recipient: '+31612345678' })
  })

  it('takes of several addresses the last one used if it is open, else the one that is open longest', () => {
    const services = ['m1', 'm2', 'm3', 'm4'].map((id) => ({ id, touchpoint: 'messenger' as const }))
    const wish = { service: null, touchpoint: 'messenger', now: NOW, conversation: NOWHERE } as const
    const by = (handles: HandleRoute[], sender: 'person' | 'machine' | 'template' = 'person') => {
      const way = chooseDelivery({ ...reach(''), services, handles }, { ...wish, sender })
      return 'failure' in way ? (way.code ?? way.failure) : way.service
    }
    const [later, soon] = ['2026-11-25T00:00:00Z', OPEN]
    expect(by([handleAt('m2', later), handleAt('m1', soon)])).toBe('m1')
    expect(by([handleAt('m1', CLOSED), handleAt('m2', soon), handleAt('m3', later)])).toBe('m3')
    expect(by([handleAt('m1', CLOSED), handleAt('m2', later), handleAt('m4', null)])).toBe('m4')
    expect(by([handleAt('m1', CLOSED), handleAt('m2', CLOSED)])).toBe('windowClosed')
    expect(by([handleAt('m1', CLOSED), handleAt('m2', CLOSED)], 'template')).toBe('m1')
    expect(by([handleAt('m1', later, { machinesUntil: CLOSED })], 'machine')).toBe('windowClosed')
    expect(by([handleAt('m1', later, { machinesUntil: CLOSED })], 'person')).toBe('m1')
    expect(by([handleAt('m1', later, { blockedAt: CLOSED }), handleAt('m2', soon)])).toBe('m2')
    expect(by([handleAt('m1', later, { blockedAt: CLOSED })], 'template')).toBe('blocked')
  })
})
