import { type FieldMetadata, type SubmissionResult, useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type ReactNode, useRef } from 'react'
import { type NomineeChange, Relation } from '#contract/modifications'
import { type Broker } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getModificationLimits } from '~/broker/modifications.server'
import { getPersonalDetails } from '~/broker/profile.server'
import { Failed } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { CheckboxField, ErrorSummary, type FieldState, LINK, SubmitButton } from '~/components/form'
import { Halves } from '~/components/halves'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { RestoredFormNotice, WaitingOtpNotice } from '~/components/restored-form-notice'
import { useRowFocus } from '~/components/use-row-focus'
import { withFormRecovery, takeRecoveredForm } from '~/forms/form-recovery.server'
import { unanswered, replyWith, extendReply } from '~/forms/form.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { maskPan } from '~/lib/masks'
import { requireBroker } from '~/session/session.server'
import { nomineeChange } from './change-definitions.server'
import { listPanNames, readTypedNominees, NOT_VERIFIED, listPans, requireWholeNominees, splitEqually } from './nominee-form.server'
import { FORM_WIDTH, StepCard } from './step-card'
import { listNominees, sumShares, writeShare } from './nominee-lines.server'
import { CurrentNominees } from './nominee-list'
import { NomineeRow, type NomineesTyped, type NomineeTyped } from './nominee-row'
import { ShareTotal } from './share-total'
import { Unbroken } from '~/components/unbroken'
import { WaitingChanges } from './waiting-changes'
import { listWaitingChanges } from './waiting-changes.server'

export const handle = { title: 'Nominees', canRefresh: true }

/** The limit in the rule of 1 September 2026, for a broker that does not state a limit. */
const LIMIT = 3

/** The relation of the form's list that a broker writes in capitals or with blanks. Nothing for another one: the client selects it. */
const findRelation = (written: string | null) =>
	Relation.options.find((relation) => relation.toLowerCase() === written?.trim().toLowerCase()) ?? ''

async function findLimit(broker: Broker): Promise<number> {
	return (await loadSidePart(broker, getModificationLimits(broker))).data?.max_nominees ?? LIMIT
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const [profile, limit, waiting, { typed, headers }, pending] = await Promise.all([
		loadPart(broker, getPersonalDetails(broker, readRefresh(request)).then(requireWholeNominees)),
		findLimit(broker),
		listWaitingChanges(broker, nomineeChange.kind),
		takeRecoveredForm(request, broker.clientCode),
		nomineeChange.findPending(request, broker),
	])
	// The broker sends masked PANs, so the client must type them again.
	const named = (profile.data?.nominees ?? []).map(({ name, relation, dob, share, guardian }) => ({
		name,
		relation: findRelation(relation),
		dob: dob ?? '',
		share: share === null ? '' : writeShare(share),
		...(guardian && { guardian: { name: guardian.name, relation: findRelation(guardian.relation) } }),
	}))
	// Shown below the field of the same person. The row may later hold another person.
	const stored = (profile.data?.nominees ?? []).flatMap(({ name, pan, guardian }) => [
		...(pan ? [{ name, pan: maskPan(pan) }] : []),
		...(guardian?.pan ? [{ name: guardian.name, pan: maskPan(guardian.pan) }] : []),
	])
	const now = today()
	const offered = typed && (parseWithZod(typed, { schema: readTypedNominees(typed, limit) }).payload as NomineesTyped)
	const registered = { nominees: named.length > 0 ? named : [{ share: '100' }] }
	// The back button of the OTP page leads here.
	const start: NomineesTyped = offered ?? (pending && fillAgain(pending, registered)) ?? registered
	// A person born one day later is still 17 today.
	const adultsUntil = `${Number(now.slice(0, 4)) - 18}${now.slice(4)}`
	return data(
		{
			limit,
			start,
			current: listNominees(profile.data?.nominees ?? []),
			total: sumShares(profile.data?.nominees ?? []),
			stored,
			waiting,
			// The form replaces what is registered, so it is not shown when that could not be loaded.
			failure: profile.failure,
			isOffered: offered !== undefined,
			otpAt: pending && !offered ? `${nomineeChange.path}/otp` : undefined,
			relations: Relation.options,
			adultsUntil,
		},
		// Without the nominees a form that was typed before is all that the page shows.
		{ headers, status: profile.failure && !offered ? profile.failure.status : 200 },
	)
}

/** Returns the form of a change that waits for its OTP. Without nominees, the rows of the form are not part of the change. */
function fillAgain({ opt_out, nominees }: NomineeChange, { nominees: rows }: NomineesTyped): NomineesTyped {
	return {
		...(opt_out && { opt_out: 'on' }),
		nominees:
			nominees.length > 0
				? nominees.map(({ name, relation, pan, dob, share, guardian }) => ({
						name,
						relation,
						pan,
						dob,
						share: writeShare(share),
						...(guardian && { guardian }),
					}))
				: rows,
	}
}

export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, (form, broker) => requestNominees(request, broker, form), { list: 'nominees' })
}

async function requestNominees(request: Request, broker: Broker, form: FormData) {
	const limit = await findLimit(broker)
	const { registered, unchecked } = await listPanNames(broker, listPans(form, limit))
	if (form.get('intent') === 'split') splitShares(form, limit)

	const submission = parseWithZod(form, { schema: readTypedNominees(form, limit) })
	if (submission.status !== 'success') {
		const result = replyWith(submission)
		// To add or remove a row, or to look up one PAN, is not a failed form, unless it is no PAN.
		const isEdit = (submission.status !== 'error' || form.has('__intent__')) && !hasWrongPan(form, result)
		return data({ result, registered, unchecked, isEdit }, { status: isEdit ? 200 : 400 })
	}
	const { nominees } = submission.value
	const fieldErrors: Record<string, string[]> = {}
	nominees.forEach(({ pan, guardian }, at) => {
		if (registered[pan] === '') fieldErrors[`nominees[${at}].pan`] = [NOT_VERIFIED]
		if (guardian && registered[guardian.pan] === '') fieldErrors[`nominees[${at}].guardian.pan`] = [NOT_VERIFIED]
	})
	if (Object.keys(fieldErrors).length > 0)
		return data({ result: replyWith(submission, { fieldErrors }), registered, unchecked }, { status: 422 })
	try {
		return await nomineeChange.start(request, broker, { ...submission.value, registered })
	} catch (error) {
		return extendReply(await unanswered(submission, error), { registered, unchecked })
	}
}

/** True when the form was sent to look up one PAN, which is wrong or missing. */
const hasWrongPan = (form: FormData, { error }: SubmissionResult<string[]>) =>
	/"type":"validate"/.test(String(form.get('__intent__'))) &&
	Object.entries(error ?? {}).some(([name, said]) => said && name.endsWith('.pan'))

/** Turns the post into the intent of conform that updates the list, as its script does. */
function splitShares(form: FormData, limit: number) {
	const { nominees = [] } = parseWithZod(form, { schema: readTypedNominees(form, limit) }).payload as NomineesTyped
	const shares = splitEqually(Math.max(1, nominees.length))
	const value = nominees.map((nominee, at) => ({ ...nominee, share: shares[at] }))
	form.append('__intent__', JSON.stringify({ type: 'update', payload: { name: 'nominees', value } }))
}

/**
 * Returns the fields of a row for the error summary. Two rows may have the same error, so each message has the number of its nominee.
 */
function listFields(row: FieldMetadata<NomineeTyped, NomineesTyped, string[]>, number?: number): FieldState[] {
	const { name, relation, pan, dob, share, guardian } = row.getFieldset()
	const own = guardian.getFieldset()
	return [name, relation, pan, dob, share, own.name, own.relation, own.pan].map(({ id, errors }) => ({
		id,
		errors: number === undefined ? errors : errors?.map((message) => `Nominee ${number}: ${message}`),
	}))
}

export default function Nominees() {
	const { limit, current, total, start, failure, isOffered, otpAt } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const [form, fields] = useForm<NomineesTyped>({ id: 'nominees', lastResult: answered?.result, defaultValue: start })
	const rows = fields.nominees.getFieldList()
	const shown = rows.flatMap((row, at) => listFields(row, rows.length > 1 ? at + 1 : undefined))
	const list = { id: form.id, errors: fields.nominees.errors }
	// A form that was shown with the registered values and then edited stays on the page.
	if (failure && !answered && !isOffered) {
		return (
			<FailedPage title="Nominees" what="Your nominees" failure={failure}>
				<p>You can change your nominees once the current ones can be shown.</p>
			</FailedPage>
		)
	}
	return (
		<>
			<PageTitle
				title="Nominees"
				note={
					current.length > 0 && total
						? `${current.length === 1 ? '1 nominee' : `${current.length} nominees`} · Together ${total}`
						: `Up to ${limit} nominees; their shares add up to 100\u00A0%.`
				}
			/>
			{isOffered && !answered && <RestoredFormNotice />}
			{otpAt && !answered && <WaitingOtpNotice href={otpAt} />}
			{failure && <Failed what="What is registered now" failure={failure} />}
			<ErrorSummary form={form} fields={[...shown, list]} />
			<Now>
				<StepCard step={1} change="nominee" title={current.length > 0 ? 'Change nominees' : undefined}>
					<NomineeForm form={form} fields={fields} />
				</StepCard>
			</Now>
		</>
	)
}

/** What is registered, what waits to be, and the form. */
function Now({ children }: { children: ReactNode }) {
	const { current, waiting, failure } = useLoaderData<typeof loader>()
	return (
		<>
			<div className={FORM_WIDTH}>
				<WaitingChanges changes={waiting} />
				{current.length === 0 && !failure && (
					<p className="mb-4">You have no nominee yet. Say below who receives your shares and money after your death.</p>
				)}
			</div>
			<Halves>
				{current.length > 0 && <CurrentNominees nominees={current} />}
				{children}
			</Halves>
		</>
	)
}

type Form = ReturnType<typeof useForm<NomineesTyped>>

function NomineeForm({ form, fields }: { form: Form[0]; fields: Form[1] }) {
	const { limit, current, stored, relations, adultsUntil } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const rows = fields.nominees.getFieldList()
	const add = useRef<HTMLButtonElement>(null)
	useRowFocus(add, form.id, rows.length)
	return (
		<PostForm id={form.id} action="/myaccount/nominee" noValidate>
			{/* The Enter key presses the first button of a form, which must not remove a nominee. */}
			<button type="submit" className="sr-only" tabIndex={-1} aria-hidden="true">
				Send OTP
			</button>{' '}
			{current.length > 0 && (
				<p className="mb-4 text-sm">
					This list replaces your nominees (up to {limit}). Enter each PAN again: we see only its last characters.
				</p>
			)}
			{rows.map((row, at) => (
				<NomineeRow
					key={row.key}
					form={form}
					field={row}
					list={fields.nominees.name}
					at={at}
					canRemove={rows.length > 1}
					relations={relations}
					stored={stored}
					registered={answered?.registered ?? {}}
					unchecked={answered?.unchecked ?? []}
					adultsUntil={adultsUntil}
				/>
			))}
			<ShareTotal shares={rows.map((row) => row.getFieldset().share)} />
			<div className="actions">
				{rows.length < limit && (
					<button {...form.insert.getButtonProps({ name: fields.nominees.name, defaultValue: {} })} ref={add} className="btn">
						Add nominee
					</button>
				)}{' '}
				{rows.length > 1 && (
					<button type="submit" name="intent" value="split" className={LINK}>
						Split equally
					</button>
				)}
			</div>
			<div className="mt-3">
				<CheckboxField
					field={fields.opt_out}
					label="I do not wish to nominate"
					help={`${current.length > 0 ? 'The nominees above are then removed. ' : ''}Your heirs may need court papers to claim.`}
					defaultChecked={fields.opt_out.initialValue === 'on'}
				/>
			</div>
			<p className="mt-6 text-sm">
				<Unbroken text="We send an OTP to your mobile number. You then e-sign." />
			</p>
			<div className="actions">
				<SubmitButton>Send OTP</SubmitButton>
			</div>
		</PostForm>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Nominees" />
}
