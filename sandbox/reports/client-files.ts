import { z } from 'zod/v4'
import { Segment } from '#contract/units'
import { sayCode } from '#contract/values/code-names'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { SEGMENTS } from '#contract/values/segments'
import { type SheetTable } from '#documents/table'
import { type Client, maskPan } from '#sandbox/clients/clients'
import { maskAccount } from '#sandbox/clients/masks'
import { type SandboxParts } from '#sandbox/types'
import { streamStatement } from './statements'

const text = z.string().nullish()

/** The parts of the stored profile that the forms print. */
const Printed = z.looseObject({
	personal_details: z.looseObject({
		client_code: z.string(),
		first_name: z.string(),
		middle_name: text,
		last_name: z.string(),
		dob: text,
		gender: text,
		father_name: text,
		marital_status: text,
		occupation: text,
		annual_income: text,
		email: text,
		mobile: text,
		address: z.object({ line1: text, line2: text, line3: text, city: text, state: text, pincode: text }),
		account_status: text,
		opened_on: text,
		kyc_status: text,
	}),
	dp_details: z.looseObject({
		company_code: z.string(),
		activate_segment: text,
		cdsl_bo_id: text,
		nsdl_bo_id: text,
		dp_name: text,
		ddpi_status: text,
	}),
	nominees: z.array(z.looseObject({ name: text, relation: text, relationship: text, share: z.union([z.number(), z.string()]).nullish() })),
	banks: z
		.array(z.looseObject({ bank_acno: z.string(), bank_name: text, ifsc_code_act: text, micr_code: text, account_type: text }))
		.default([]),
})

type Printed = z.output<typeof Printed>

const codeInWords = (code: string | null | undefined) => (code ? sayCode(code) : '')
/** `NSE_CASH,MCX` as `Equity, Commodity`; an unknown code is not changed. */
const segmentsInWords = (codes: string) =>
	codes
		.split(',')
		.map((code) => (Segment.safeParse(code).data ? SEGMENTS[Segment.parse(code)] : code))
		.join(', ')
const shownDay = (day: string | null | undefined) => (day ? formatDay(day) : '')

function pairs(name: string, rows: readonly (readonly [string, string | null | undefined])[]): SheetTable {
	return {
		name,
		columns: [
			{ head: 'Particular', width: 30 },
			{ head: 'Detail', width: 100 },
		],
		rows: rows.map(([label, value]) => ({ cells: [label, value || '-'] })),
	}
}

function demat({ dp_details, personal_details }: Printed): SheetTable {
	return pairs('Demat account', [
		['Depository participant', dp_details.dp_name],
		['BO id (CDSL)', dp_details.cdsl_bo_id],
		['DP and client id (NSDL)', dp_details.nsdl_bo_id],
		['Status', codeInWords(personal_details.account_status)],
		['Opened on', shownDay(personal_details.opened_on)],
		['DDPI', codeInWords(dp_details.ddpi_status)],
	])
}

function bankTable({ banks }: Printed, isWhole = false): SheetTable {
	const heads = ['Bank', 'Account', 'Type', 'IFSC', 'MICR']
	return {
		name: 'Bank accounts',
		empty: 'No bank account is registered.',
		columns: heads.map((head) => ({ head, width: head === 'Bank' ? 40 : 22 })),
		rows: banks.map((bank) => ({
			cells: [
				bank.bank_name ?? null,
				isWhole ? bank.bank_acno : maskAccount(bank.bank_acno),
				bank.account_type ?? null,
				bank.ifsc_code_act ?? null,
				bank.micr_code ?? null,
			],
		})),
	}
}

function nomineeTable({ nominees }: Printed): SheetTable {
	const heads = ['Nominee', 'Relationship', 'Share %']
	return {
		name: 'Nominees',
		empty: 'No nominee is named.',
		columns: heads.map((head) => ({ head, width: head === 'Nominee' ? 60 : 30 })),
		rows: nominees.map(({ name, relation, relationship, share }) => ({
			cells: [name ?? null, relationship ?? relation ?? null, share === null || share === undefined ? null : String(share)],
		})),
	}
}

function person({ personal_details: own }: Printed, pan: string): SheetTable {
	const { line1, line2, line3, city, state, pincode } = own.address
	return pairs('Client', [
		['Name', [own.first_name, own.middle_name, own.last_name].filter(Boolean).join(' ')],
		['PAN', pan],
		['Date of birth', shownDay(own.dob)],
		['Gender', own.gender],
		['Father’s name', own.father_name],
		['Marital status', own.marital_status],
		['Occupation', own.occupation],
		['Annual income', own.annual_income],
		['E-mail', own.email],
		['Mobile', own.mobile],
		['Address', [line1, line2, line3, city, state, pincode].filter(Boolean).join(', ')],
		['KYC', own.kyc_status],
	])
}

/** The client details form. */
export function clientDetailsPdf(parts: SandboxParts, client: Client): ReadableStream<Uint8Array> {
	const printed = Printed.parse(client.profile)
	const segments = pairs('Trading account', [
		['Books', segmentsInWords(printed.dp_details.company_code)],
		['Segments', printed.dp_details.activate_segment?.replaceAll(',', ', ')],
	])
	const pan = maskPan(client.profile.personal_details.pan)
	const tables = [person(printed, pan), segments, demat(printed), bankTable(printed), nomineeTable(printed)]
	return streamStatement(parts, client, { heading: 'Client details', period: `As on ${formatDay(toIndianDay(parts.clock.now()))}`, tables })
}

/**
 * The client master report of the depository account. It shows the whole PAN and account numbers, because another depository compares
 * them.
 */
export function clientMasterPdf(parts: SandboxParts, client: Client): ReadableStream<Uint8Array> {
	const printed = Printed.parse(client.profile)
	const tables = [demat(printed), person(printed, client.profile.personal_details.pan), bankTable(printed, true), nomineeTable(printed)]
	const period = `As on ${formatDay(toIndianDay(parts.clock.now()))}`
	return streamStatement(parts, client, { heading: 'Client master', period, tables, hasFullPan: true })
}
