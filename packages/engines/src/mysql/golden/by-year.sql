SELECT MAKEDATE(YEAR(`date`), 1) AS `date`,
       MAX(`temp_max`) AS `MAX(temp_max)`
FROM `seattle_weather`
GROUP BY MAKEDATE(YEAR(`date`), 1)
ORDER BY `date` IS NULL ASC, `date` ASC
LIMIT 60;
-- []
