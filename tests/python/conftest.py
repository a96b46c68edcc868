# SPDX-License-Identifier: Apache-2.0
from hypothesis import settings

settings.register_profile("hanji", deadline=None)  # a busy machine is no failure
settings.load_profile("hanji")
