import { Banner } from '~/components/banner'
import { PageTitle } from '~/components/page-title'

type Props = {
	title: string
	file: { name: string; base64: string }
	/** The page of the change. */
	back: string
}

/**
 * The last page of an income change at a broker that sends the declaration only once. The page holds the file itself, so that a restart
 * does not lose it.
 */
export function DeclarationPage({ title, file, back }: Props) {
	return (
		<>
			<PageTitle title={title} />
			<Banner kind="success">
				<p>Income updated. Your signed declaration is usually reviewed within 3 working days.</p>
				<p>
					<a href={`data:application/pdf;base64,${file.base64}`} download={file.name}>
						Download your signed declaration (PDF)
					</a>
				</p>
				<p>Save it now: your broker does not send it again.</p>
			</Banner>
			<p>
				<a href={back}>Back to {title}</a>
			</p>
		</>
	)
}
