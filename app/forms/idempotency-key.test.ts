import { expect, test } from 'vitest'
import { readIdempotencyKey } from './idempotency-key'

test('a form shown again has the key of its reply, else the key it was sent with, else the key of its page', () => {
	expect(readIdempotencyKey({ key: 'fresh', result: { initialValue: { idempotency_key: 'sent' } } }, 'own')).toBe('fresh')
	// After a refusal the form had a new key; a later validation error must not bring the refused one back.
	expect(readIdempotencyKey({ result: { initialValue: { idempotency_key: 'sent' } } }, 'own')).toBe('sent')
	expect(readIdempotencyKey({ key: undefined, result: { initialValue: null } }, 'own')).toBe('own')
	expect(readIdempotencyKey(undefined, 'own')).toBe('own')
})
