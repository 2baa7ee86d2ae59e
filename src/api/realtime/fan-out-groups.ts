import { FanOutGroup, type GroupMember, type GroupServices } from './fan-out-group.js'
import type { LiveDocument } from './live-document.js'

/** The groups of this node that have members. */
export class FanOutGroups {
  readonly #groups = new Map<string, FanOutGroup>()

  constructor(private readonly services: GroupServices) {}

  get size(): number {
    return this.#groups.size
  }

  /** Adds the member to the group with the same payloads. Its presence must have begun; leave with `leave`. */
  enter(member: GroupMember, document: LiveDocument): FanOutGroup {
    const streams = [...new Set(member.feed.streams)].sort()
    // A bot for which texts are masked sees of what is being written its own alone.
    const own = document.isViewersOwn || member.mask ? member.callerKey : null
    const key = JSON.stringify([document.key, member.feed.audience, member.hidesContacts, member.mask, streams, own])
    let group = this.#groups.get(key)
    if (!group) {
      const made = new FanOutGroup(this.services, document, streams, key)
      this.#groups.set(key, made)
      // A group that failed to start must not be joined.
      made.ready.catch(() => this.#forget(made))
      group = made
    }
    group.members.add(member)
    return group
  }

  leave(member: GroupMember, group: FanOutGroup): void {
    group.detach(member)
    if (!group.members.delete(member) || group.members.size > 0) return
    this.#forget(group)
    group.stop()
  }

  #forget(group: FanOutGroup): void {
    if (this.#groups.get(group.key) === group) this.#groups.delete(group.key)
  }
}
