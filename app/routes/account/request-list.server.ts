import { type ChangeRequest } from '#contract/modifications'
import { CHANGE_STATUS } from '#contract/values/code-names'
import { formatMoment } from '#contract/values/moments'
import { CLOSURE } from '~/forms/closure-draft.server'
import { formatSlab } from '~/lib/income-slab'
import { showMasked } from '~/lib/masks'
import { findKind, type StatusKind } from '~/lib/status-kind'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { moment, text } from '~/reports/columns.server'
import { type Report } from '~/reports/declaration'

const AUTHORISED = {
	LOGIN: 'Login, no OTP',
	OTP: 'OTP',
	OTP_ESIGN: 'OTP and e-sign',
	ESIGN: 'E-sign',
} as const

const KINDS: Readonly<Record<string, StatusKind>> = { WAITING: 'todo', SIGNED: 'waiting', DONE: 'done', WITHDRAWN: 'over', LAPSED: 'over' }

/** The pages where a request that was not signed in time can be made again, by its kind. */
const PAGES: Readonly<Record<string, string>> = {
	MOBILE: '/myaccount/mobile',
	EMAIL: '/myaccount/email',
	BANK: '/myaccount/bank',
	SEGMENTS: '/myaccount/segments',
	NOMINEE: '/myaccount/nominee',
	CLOSURE: '/myaccount/closure',
	DDPI: '/dpprocess/ddpi',
	MTF: '/connect/mtf',
}

export const findPageAgain = ({ kind, status }: ChangeRequest): string | undefined =>
	status === 'LAPSED' && Object.hasOwn(PAGES, kind) ? PAGES[kind] : undefined

/** The page that asks whether to withdraw a request. A closure is withdrawn on its own page. */
export const findWithdrawal = ({ kind, reference }: ChangeRequest) =>
	kind === 'CLOSURE' ? CLOSURE : `/myaccount/requests?withdraw=${encodeURIComponent(reference)}#withdraw`

export const findRequestKind = ({ status }: ChangeRequest) => findKind(KINDS, status)

/**
 * The words in place of the e-sign: `pending` until it is given, `never` when it was not given. The broker names only the way that was
 * chosen.
 */
const UNSIGNED: Readonly<Record<string, { pending: string; never: string }>> = {
	OTP_ESIGN: { pending: 'OTP, e-sign pending', never: 'OTP, not signed' },
	// A closure can be withdrawn before and after it is signed.
	ESIGN: { pending: 'E-sign pending', never: DASH },
}

/** Returns the authorisation that the client has given until now. */
export function nameAuthorisation({ authorised_by, status }: ChangeRequest): string {
	const words = Object.hasOwn(UNSIGNED, authorised_by ?? '') ? UNSIGNED[authorised_by ?? ''] : undefined
	if (words && status === 'WAITING') return words.pending
	if (words && (status === 'WITHDRAWN' || status === 'LAPSED')) return words.never
	return nameCode(AUTHORISED, authorised_by)
}

const status = (row: ChangeRequest) => nameCode(CHANGE_STATUS, row.status)

/** The client's change requests. The page draws the rows itself, because each has its next step. */
export const changeRequestsReport: Report<ChangeRequest> = {
	title: 'Requests',
	words: (row) =>
		`${row.title} ${row.reference} ${row.was ?? ''} ${row.becomes ?? ''} ${orDash(row.asked_at, formatMoment)} ${nameAuthorisation(row)} ${status(row)}`,
	columns: [
		{ ...text<ChangeRequest>('request', 'Request', ({ title }) => title), plain: ({ title, reference }) => `${title} ${reference}` },
		text('status', 'Status', status),
		moment('asked', 'Asked on', ({ asked_at }) => asked_at),
		text('before', 'Before', ({ was }) => showMasked(formatSlab(was ?? DASH))),
		text('new', 'New', ({ becomes }) => showMasked(formatSlab(becomes ?? DASH))),
		text('authorised', 'Authorised by', nameAuthorisation),
	],
}
