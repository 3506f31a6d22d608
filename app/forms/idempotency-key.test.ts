import { expect, test } from 'vitest'
import { readIdempotencyKey } from './idempotency-key'

test('a form that is shown again has the key of its answer, else the one it was sent with, else its page’s', () => {
	expect(readIdempotencyKey({ key: 'fresh', result: { initialValue: { idempotency_key: 'sent' } } }, 'own')).toBe('fresh')
	// After a refusal the form had a fresh key; what is wrong with it next must not bring the refused one back.
	expect(readIdempotencyKey({ result: { initialValue: { idempotency_key: 'sent' } } }, 'own')).toBe('sent')
	expect(readIdempotencyKey({ key: undefined, result: { initialValue: null } }, 'own')).toBe('own')
	expect(readIdempotencyKey(undefined, 'own')).toBe('own')
})
