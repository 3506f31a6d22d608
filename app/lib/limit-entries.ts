/**
 * Options of an LRU cache of at most `most` entries. The cache's own `max` takes memory for all of them before the first: 200,000 entries
 * take seven megabytes empty.
 */
export function limitEntries(most: number) {
	return { maxSize: most, sizeCalculation: () => 1 }
}
