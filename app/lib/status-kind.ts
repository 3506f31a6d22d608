/**
 * What a state means to the client: it is done, it waits for the client (`todo`) or for others, it failed, or it ended without effect.
 */
export type StatusKind = 'done' | 'todo' | 'waiting' | 'failed' | 'over'

/** By the broker's code; undefined for one that we do not know. */
export function findKind(kinds: Readonly<Record<string, StatusKind>>, code: string | null): StatusKind | undefined {
	return code !== null && Object.hasOwn(kinds, code) ? kinds[code] : undefined
}
