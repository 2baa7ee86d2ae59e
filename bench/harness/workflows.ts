import { systemClock } from '../../src/platform/db/clock.js'
import { parseRule } from '../../src/modules/workflows/rule.js'
import type { RuleDefinition, WorkflowDefinition } from '../../src/modules/workflows/rule-definition.js'
import type { Seeder } from './seed.js'

const CATEGORIES = ['sales', 'support', 'billing', 'returns', 'press']

/** Rules of three conditions each, as a contact center has them: a category, a text or an address, who or when. */
export function makeRules(count: number, channels: readonly string[] = []): RuleDefinition[] {
  return Array.from({ length: count }, (_, index) => {
    const conditions = {
      all: [
        { fact: 'conversation', path: '.category', operator: 'equal', value: CATEGORIES[index % CATEGORIES.length] },
        index % 2 === 0
          ? { fact: 'message', path: '.text', operator: 'match', value: `(?i)order [0-9]+|refund ${index}` }
          : {
              fact: 'message',
              path: '.meta.url',
              operator: 'pattern',
              value: `https://shop.example/*/${7_700 + index}`,
            },
        {
          any: [
            {
              fact: 'organization',
              path: '.tags',
              operator: 'contains',
              value: index % 3 === 0 ? 'vip' : `tag-${index}`,
            },
            { fact: 'context', path: '.currentTime', operator: 'between', value: [900 + (index % 20), 1_730] },
            { fact: 'contact', path: '.meta.tier', operator: 'in', value: ['gold', 'silver', `tier-${index}`] },
          ],
        },
      ],
    }
    return { id: systemClock.newId(), ...parseRule({ conditions, event: { type: 'notify', params: { channels } } }) }
  })
}

/**
 * Rules whose first two conditions are expressions that read all of the text, and of which few match: nothing spares
 * the one that evaluates them anything.
 */
export function makeExpressionRules(count: number, channels: readonly string[] = []): RuleDefinition[] {
  const words = ['invoice', 'refund', 'parcel', 'password', 'delivery', 'warranty', 'discount', 'subscription']
  const match = (value: string) => ({ fact: 'message', path: '.text', operator: 'match', value })
  return Array.from({ length: count }, (_, index) => {
    const word = words[index % words.length]
    const conditions = {
      any: [
        match(`(?i)\\b${word} (number )?${1_000 + index}\\b`),
        match(`(cancel|stop) my ${word}-${index}`),
        { fact: 'conversation', path: '.language', operator: 'equal', value: `x${index}` },
      ],
    }
    return { id: systemClock.newId(), ...parseRule({ conditions, event: { type: 'notify', params: { channels } } }) }
  })
}

export function workflowOf(rules: RuleDefinition[]): WorkflowDefinition {
  return { id: systemClock.newId(), name: 'Bench', version: '1', rules }
}

/** Stores them as workflows of a contact center. */
export async function seedWorkflows(
  seeder: Seeder,
  organization: string,
  workflows: readonly RuleDefinition[][],
): Promise<void> {
  for (const rules of workflows) {
    await seeder.query(
      `insert into workflow (id, external_id, organization_id, org1, created_at, updated_at, name, rules)
       values ($1::uuid, $1::uuid::text, $2, $2, now(), now(), 'Bench', $3)`,
      [systemClock.newId(), organization, JSON.stringify(rules)],
    )
  }
}
