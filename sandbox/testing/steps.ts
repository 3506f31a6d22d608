import fc from 'fast-check'
import { ACTORS, type Actor } from './world'

/**
 * One action of a client. `pick` (0 to 1) chooses one of the existing things, `part` is a share of what exists (above 1 is too much),
 * `times` is how often the same request is sent at once.
 */
export type SequenceStep = { who: Actor; pick: number; part: number; times: number } & (
	| { do: 'pay in' | 'pay out' | 'cancel pay-out' | 'pledge' | 'unpledge' | 'verify' | 'bid' | 'refresh' | 'repeat' }
	| { do: 'ask for a mandate' | 'cancel a mandate' | 'activate' | 'close' | 'enter the code' }
	| { do: 'wait'; minutes: number }
	| { do: 'at the bank'; outcome: 'pay' | 'wait' | 'fail' | 'cancel' | 'other' }
	| { do: 'register'; outcome: 'confirm' | 'refuse' | 'cancel' }
	| { do: 'at the depository'; outcome: 'confirm' | 'cancel' | 'fail' }
	| { do: 'in the UPI app'; outcome: 'approve' | 'decline' | 'other_account' }
	| { do: 'sign'; outcome: 'sign' | 'cancel' | 'fail' }
)

/** Mostly 0, which picks the newest thing. */
const anyPick = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 1, noNaN: true }))
const shares = { pick: anyPick, part: fc.constantFrom(0.001, 0.1, 0.5, 1, 1.1) }
const common = { who: fc.constantFrom(...ACTORS), times: fc.constantFrom(1, 1, 2, 3), ...shares }
const plain = <Do extends string>(...names: Do[]) => fc.record({ do: fc.constantFrom(...names), ...common })
const ended = <Do extends string, Outcome extends string>(name: Do, ...outcomes: Outcome[]) =>
	fc.record({ do: fc.constant(name), outcome: fc.constantFrom(...outcomes), ...common })
const minutes = fc.constantFrom(1, 31, 6 * 60, 26 * 60, 4 * 24 * 60)

/** Any step. Steps that start something and steps that end it are about equally frequent. */
export const anyStep: fc.Arbitrary<SequenceStep> = fc.oneof(
	{ weight: 8, arbitrary: plain('pay in', 'pay out', 'cancel pay-out', 'pledge', 'unpledge', 'verify', 'bid', 'repeat') },
	{ weight: 2, arbitrary: plain('ask for a mandate', 'cancel a mandate', 'activate', 'close', 'enter the code', 'refresh') },
	{ weight: 2, arbitrary: ended('at the bank', 'pay', 'pay', 'wait', 'fail', 'cancel', 'other') },
	{ weight: 2, arbitrary: ended('at the depository', 'confirm', 'confirm', 'cancel', 'fail') },
	{ weight: 2, arbitrary: ended('in the UPI app', 'approve', 'approve', 'decline', 'other_account') },
	{ weight: 1, arbitrary: ended('register', 'confirm', 'refuse', 'cancel') },
	{ weight: 1, arbitrary: ended('sign', 'sign', 'cancel', 'fail') },
	{ weight: 3, arbitrary: fc.record({ do: fc.constant('wait' as const), minutes, ...common }) },
)

const of = { who: 'DEMO01', pick: 0, part: 0.1, times: 2 } as const
const next = (minutes: number) => ({ do: 'wait', minutes, ...of }) as const

/** One of every step that posts something or moves a quantity. A test with it proves that the checks look at something. */
export const EVERYTHING: readonly SequenceStep[] = [
	{ do: 'pay in', ...of },
	{ do: 'at the bank', outcome: 'pay', ...of },
	{ do: 'pay out', ...of, part: 1.1 },
	{ do: 'pay out', ...of },
	{ do: 'repeat', ...of, pick: 1 },
	{ do: 'pledge', ...of },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'pledge', ...of, part: 1.1 },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'unpledge', ...of },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'unpledge', ...of, part: 1.1 },
	{ do: 'at the depository', outcome: 'confirm', ...of },
	{ do: 'verify', ...of, part: 1.1 },
	{ do: 'verify', ...of },
	{ do: 'enter the code', ...of, pick: 1 },
	{ do: 'bid', ...of },
	{ do: 'in the UPI app', outcome: 'approve', ...of },
	{ do: 'bid', ...of, who: 'CASH01', pick: 0.5 },
	{ do: 'in the UPI app', outcome: 'decline', ...of },
	{ do: 'ask for a mandate', ...of },
	{ do: 'register', outcome: 'confirm', ...of },
	{ do: 'activate', ...of, who: 'CASH01' },
	{ do: 'sign', outcome: 'sign', ...of },
	next(31),
	{ do: 'refresh', ...of },
	next(4 * 24 * 60),
	{ do: 'refresh', ...of },
	next(8 * 24 * 60),
	{ do: 'repeat', ...of, pick: 0 },
	{ do: 'repeat', ...of, pick: 0.15 },
]
