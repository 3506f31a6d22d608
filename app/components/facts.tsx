import { Fragment } from 'react'
import { Unbroken } from './unbroken'

/**
 * Short facts with a dot between them: `Spouse · born 02/09/1988`. A dot stands before each fact, and the edge of the box cuts off the dot
 * at the start of a line, so that none hangs at the end of one.
 */
export function Facts({ text }: { text: string }) {
	const facts = text.split(' · ')
	if (facts.length === 1) return <Unbroken text={text} />
	return (
		<span className="block overflow-x-clip">
			<span className="-ml-3 flex flex-wrap">
				{facts.map((fact, at) => (
					<Fragment key={at}>
						<span className="flex">
							<span className="w-3 flex-none text-center">{at > 0 && '· '}</span>
							<span>
								<Unbroken text={fact} />
							</span>
						</span>{' '}
					</Fragment>
				))}
			</span>
		</span>
	)
}
