import { describe, expect, it } from '@jest/globals'
import fc from 'fast-check'
import type { Conditions } from '../../web/console/views/filters.js'
import { filterWith, partsOf, withoutGaps, type Gap, type StoredFilter } from '../../web/console/views/saved-filter.js'

const ID = '01900000-0000-7000-8000-000000000001'
const OTHER = '01900000-0000-7000-8000-000000000002'
const NOTHING: Conditions = { state: '', channel: '', agent: '', label: '' }

const gap = (field: string, id = ID): Gap => ({ field, id, kind: 'LABEL', name: null, isArchived: false })

/** As the server keeps it. */
const stored = (filter: object): StoredFilter =>
  JSON.parse(
    JSON.stringify(filter, (_, value) =>
      typeof value === 'string' && /^[A-Z]+$/.test(value) ? value.toLowerCase() : value,
    ),
  )

describe("the console's choices for a saved filter", () => {
  it.each<[StoredFilter, Partial<Conditions>, StoredFilter]>([
    [{ status: { in: ['queued', 'active'] } }, { state: 'open' }, {}],
    [{ status: { eq: 'active' }, snoozedUntil: { eq: null } }, { state: 'active' }, {}],
    [{ status: { eq: 'active' }, snoozedUntil: { ne: null } }, { state: 'snoozed' }, {}],
    // More than the fixed view of that name.
    [{ status: { eq: 'active' } }, {}, { status: { eq: 'active' } }],
    [{ undelivered: { gt: 0 }, status: { eq: 'queued' } }, { state: 'waiting' }, { undelivered: { gt: 0 } }],
    [{ labels: { eq: ID.toUpperCase() } }, { label: ID }, {}],
    [{ labels: { in: [ID, OTHER] } }, {}, { labels: { in: [ID, OTHER] } }],
    [{ participants: { user: { eq: ID } } }, { agent: ID }, {}],
    // Who has accepted is not who took part, unless the state says so.
    [
      { participants: { user: { eq: ID }, accepted: { eq: true } } },
      {},
      { participants: { user: { eq: ID }, accepted: { eq: true } } },
    ],
    [
      { status: { eq: 'queued' }, participants: { user: { eq: ID }, accepted: { eq: true } } },
      { state: 'waiting', agent: ID },
      {},
    ],
    [{ assignee: { eq: ID }, caseChannels: { eq: OTHER } }, { channel: OTHER }, { assignee: { eq: ID } }],
  ])('are %j: %j and %j', (filter, chosen, rest) => {
    expect(partsOf({ ...filter, type: { eq: 'contact' } })).toEqual({ conditions: { ...NOTHING, ...chosen }, rest })
  })

  it('say the same when they are put together again, and keep what there is no choice for', () => {
    const id = fc.constantFrom('', ID, OTHER)
    const conditions = fc.record({
      state: fc.constantFrom('' as const, 'open', 'waiting', 'active', 'snoozed', 'undelivered', 'closed'),
      channel: id,
      agent: id,
      label: id,
    }) as fc.Arbitrary<Conditions>
    const rest = fc.record(
      {
        awaitsAnswer: fc.constant({ eq: true }),
        q: fc.constant('anchor'),
        or: fc.constant([{ unread: { eq: true } }]),
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(conditions, rest, (chosen, others) => {
        const filter = stored(filterWith({ conditions: chosen, rest: others }))
        expect(partsOf(filter)).toEqual({ conditions: chosen, rest: others })
        expect(stored(filterWith(partsOf(filter)))).toEqual(filter)
      }),
    )
  })

  it('hold beside a condition of the same field', () => {
    const { rest } = partsOf({ status: { eq: 'active' }, and: [{ q: 'anchor' }], type: { eq: 'contact' } })
    expect(filterWith({ conditions: { ...NOTHING, state: 'waiting' }, rest })).toEqual({
      type: { eq: 'CONTACT' },
      status: { eq: 'QUEUED' },
      and: [{ q: 'anchor' }, { status: { eq: 'active' } }],
    })
  })

  it.each<[StoredFilter, Gap[], StoredFilter]>([
    [{ labels: { eq: ID }, q: 'anchor' }, [gap('filter.labels.eq')], { q: 'anchor' }],
    [{ channels: { in: [ID, OTHER] } }, [gap('filter.channels.in')], { channels: { in: [OTHER] } }],
    [{ channels: { in: [ID] }, q: 'a' }, [gap('filter.channels.in')], { q: 'a' }],
    [{ participants: { user: { eq: ID }, accepted: { eq: true } } }, [gap('filter.participants.user.eq')], {}],
    [
      { or: [{ labels: { eq: ID } }, { labels: { eq: OTHER } }] },
      [gap('filter.or[0].labels.eq')],
      { or: [{ labels: { eq: OTHER } }] },
    ],
    [
      { and: [{ or: [{ assignee: { eq: ID } }] }], labels: { in: [ID, OTHER] } },
      [gap('filter.and[0].or[0].assignee.eq'), gap('filter.labels.in'), gap('filter.labels.in', OTHER)],
      {},
    ],
    [{ orgPath: { startsWith: `${OTHER}#${ID}` }, q: 'a' }, [gap('filter.orgPath.startsWith')], { q: 'a' }],
  ])('leave out of %j what is gone', (filter, gaps, left) => {
    const before = structuredClone(filter)
    expect(withoutGaps(filter, gaps)).toEqual(left)
    expect(filter).toEqual(before)
  })
})
