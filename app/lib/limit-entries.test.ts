import { LRUCache } from 'lru-cache'
import { expect, test } from 'vitest'
import { limitEntries } from './limit-entries'

test('a cache with this limit drops the entry that was unused the longest', () => {
	const cache = new LRUCache<string, true>({ ...limitEntries(3), ttl: 60_000 })
	for (const name of ['a', 'b', 'c']) cache.set(name, true)
	expect(cache.get('a')).toBe(true)
	cache.set('d', true)
	expect([...cache.keys()].sort()).toEqual(['a', 'c', 'd'])
})

test('an empty cache takes no memory for its entries', () => {
	const before = process.memoryUsage()
	const caches = Array.from({ length: 5 }, () => new LRUCache<string, true>({ ...limitEntries(1_000_000), ttl: 60_000 }))
	const after = process.memoryUsage()
	expect(caches.length).toBe(5)
	// With `max` each takes 8 bytes an entry in three arrays, and 4 bytes in two: 160 MB in all.
	const taken = after.heapUsed + after.arrayBuffers - before.heapUsed - before.arrayBuffers
	expect(taken).toBeLessThan(10_000_000)
})
