import { type ReactNode } from 'react'
import { Box } from '~/components/box'
import { Section } from '~/components/section'
import { StepLine } from '~/components/step-line'
import { listSteps } from './change-steps'

type Props = {
	change: string
	step: 1 | 2 | 3
	/** The heading, unless the page or the button that opened the form says the same. */
	title?: string
	children: ReactNode
}

/** A step of a change on one surface: where it leads, then the form. */
export function StepCard({ change, step, title, children }: Props) {
	const content = (
		<>
			<Step change={change} step={step} />
			{children}
		</>
	)
	// A grid, so that the card can be as high as one beside it.
	return <div className={`${FORM_WIDTH} grid`}>{title ? <Section title={title}>{content}</Section> : <Box>{content}</Box>}</div>
}

/** Where a step leads, above its form. */
export function Step({ change, step }: Pick<Props, 'change' | 'step'>) {
	return (
		<p className="text-muted mb-4 text-xs">
			<StepLine step={step} {...listSteps(change)} />
		</p>
	)
}

/** Of the cards around a form: a line of it is easy to read, and its end is in sight of its start. */
export const FORM_WIDTH = 'max-w-160'
