/** @jest-environment node */
import { join } from 'node:path';
import { compile } from 'sass';

const root = process.cwd();
const { css } = compile(join(root, 'components/shell/side-menu-list.module.scss'), {
  loadPaths: [root],
  style: 'compressed',
});

// Spec §2.2, 0066: the menu of the alerts app is that of an installed app, wherever it is shown.
test('the alerts app shows the entries of an installed app, and none of the browser’s', () => {
  expect(css).toContain(
    '@media not (display-mode: standalone){:root:not([data-alerts-app]) .group [data-display=installed]{display:none}}',
  );
  expect(css).toContain('@media(display-mode: standalone){.group [data-display=browser]{display:none}}');
  expect(css).toContain(':root[data-alerts-app] .group [data-display=browser]{display:none}');
  expect(css.match(/data-display=installed/g)).toHaveLength(1);
});
