import { Fragment } from 'react'
import { Unbroken } from './unbroken'

type Props = {
	/** The current step, from 1. */
	step: number
	steps: readonly string[]
	/** Whether there is a last step is not known yet, so the steps are not counted. */
	isUncounted?: boolean
}

/** Where the client is in a journey, and what comes next. */
export function StepLine({ step, steps, isUncounted }: Props) {
	return (
		<>
			Step {step}
			{!isUncounted && ` of ${steps.length}`}:{' '}
			{steps.map((name, at) => (
				<Fragment key={name}>
					{at > 0 && ' · '}
					{at + 1 === step ? (
						<b className="text-base-content">
							<Unbroken text={name} />
						</b>
					) : (
						<Unbroken text={name} />
					)}
				</Fragment>
			))}
		</>
	)
}
