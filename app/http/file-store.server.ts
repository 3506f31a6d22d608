import { LRUCache } from 'lru-cache'
import { redis } from '~/config/redis.server'

/**
 * Keeps files between two requests: in Redis for all processes; without Redis, or while it does not answer, in this process. Each is
 * deleted after `lifeMs` milliseconds, requested or not. Above `maxBytes` in this process the oldest are deleted.
 */
export function createFileStore({ maxBytes, lifeMs }: { maxBytes: number; lifeMs: number }) {
	const memory = new LRUCache<string, Buffer>({
		maxSize: maxBytes,
		sizeCalculation: ({ length }) => Math.max(1, length),
		ttl: lifeMs,
		ttlAutopurge: true,
	})
	return {
		/** Bytes held by this process. */
		heldBytes: () => memory.calculatedSize,

		/** True when all processes have it, also after a restart; false when only this one does. */
		async put(place: string, file: Buffer): Promise<boolean> {
			const isShared = Boolean(await redis?.set(place, file, 'PX', lifeMs).catch(() => undefined))
			if (isShared) memory.delete(place)
			else memory.set(place, file)
			return isShared
		},

		/** Undefined when there is none, or when its time is over. */
		async get(place: string): Promise<Buffer | undefined> {
			return memory.get(place) ?? (await redis?.getBuffer(place).catch(() => null)) ?? undefined
		},

		async has(place: string): Promise<boolean> {
			return memory.has(place) || (await redis?.exists(place).catch(() => 0)) === 1
		},

		async drop(place: string): Promise<void> {
			memory.delete(place)
			await redis?.del(place).catch(() => undefined)
		},
	}
}
