import { DeliveryGroup, type GroupMember, type GroupServices } from './delivery-group.js'
import type { LiveDocument } from './live-document.js'

/** The groups of this node that have members. */
export class DeliveryGroups {
  readonly #groups = new Map<string, DeliveryGroup>()

  constructor(private readonly services: GroupServices) {}

  get size(): number {
    return this.#groups.size
  }

  /** Makes the member one of those that hear what it hears. Its presence has begun; leave with `leave`. */
  enter(member: GroupMember, document: LiveDocument): DeliveryGroup {
    const streams = [...new Set(member.feed.streams)].sort()
    const key = JSON.stringify([document.key, member.feed.audience, streams])
    let group = this.#groups.get(key)
    if (!group) {
      const made = new DeliveryGroup(this.services, document, streams, key)
      this.#groups.set(key, made)
      // One that could not start is of no use to those who come later.
      made.ready.catch(() => this.#forget(made))
      group = made
    }
    group.members.add(member)
    return group
  }

  leave(member: GroupMember, group: DeliveryGroup): void {
    group.detach(member)
    if (!group.members.delete(member) || group.members.size > 0) return
    this.#forget(group)
    group.stop()
  }

  #forget(group: DeliveryGroup): void {
    if (this.#groups.get(group.key) === group) this.#groups.delete(group.key)
  }
}
