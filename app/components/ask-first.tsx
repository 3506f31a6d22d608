import { type ReactNode } from 'react'
import { BOX } from './box'
import { SubmitButton } from './form'
import { PostForm } from './post-form'

type Props = {
	/** Of the section, which the link to the question names after `#`. */
	id: string
	question: string
	/** What it ends, and what happens then. */
	children: ReactNode
	action: string
	fields: Readonly<Record<string, string>>
	idempotencyKey: string
	/** The button that ends it. */
	label: string
	/** The page without the question. */
	keep: string
	reloadDocument?: boolean
}

/** A question before something ends, on the page of a link, so that it works without a script. */
export function AskFirst({ id, question, children, action, fields, idempotencyKey, label, keep, reloadDocument }: Props) {
	return (
		<section className={BOX} id={id} aria-labelledby={`${id}-title`}>
			<h2 id={`${id}-title`} className="mb-3">
				{question}
			</h2>
			<p className="prose">{children}</p>
			<PostForm action={action} idempotencyKey={idempotencyKey} reloadDocument={reloadDocument}>
				{Object.entries(fields).map(([name, value]) => (
					<input key={name} type="hidden" name={name} value={value} />
				))}
				<div className="actions">
					<SubmitButton kind="danger">{label}</SubmitButton>
					<a href={keep}>Keep it</a>
				</div>
			</PostForm>
		</section>
	)
}
