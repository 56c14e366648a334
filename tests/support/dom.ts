import '@testing-library/jest-dom';
import { configure } from '@testing-library/react';

// A machine under load is slow, not wrong.
configure({ asyncUtilTimeout: 20_000 });
